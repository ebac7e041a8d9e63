import type { Site } from "../resources/site.ts";
import type { StoredHost } from "../state/host-store.ts";
import { type Candidate, candidates } from "./choose.ts";

/** The columns of `kubectl get bmh -A -o wide`, in the CRD's order. */
export interface HostRow {
	readonly namespace: string;
	readonly name: string;
	/** Wide output only. */
	readonly status: string;
	readonly state: string;
	readonly consumer: string;
	/** Wide output only. */
	readonly bmc: string;
	readonly online: string;
	readonly error: string;
	readonly age: string;
}

/** One row for each host of the site, then for each that is stored but no longer declared; `now` is milliseconds. */
export function hostRows(site: Site, stored: readonly StoredHost[], now: number): readonly HostRow[] {
	return candidates(site, stored).map((candidate) => hostRow(candidate, now));
}

/** Age counts from the object's creation in its cluster, else from the start of its registration. */
export function hostRow({ host, name, namespace, stored }: Candidate, now: number): HostRow {
	const { status } = stored ?? {};
	const born = host?.metadata.creationTimestamp ?? status?.operationHistory?.register?.start;
	return {
		namespace,
		name,
		status: status?.operationalStatus ?? "",
		state: status?.provisioning.state ?? (host?.spec.bmc === undefined ? "unmanaged" : ""),
		consumer: host?.spec.consumerRef?.name ?? "",
		bmc: host?.spec.bmc?.address ?? "",
		online: host === undefined ? "" : String(host.spec.online),
		error: status?.errorType ?? "",
		age: born ? formatAge(now - Date.parse(born)) : "",
	};
}

/** As kubectl writes a duration: `45s`, `5m10s`, `3h`, `4d2h`, `2y11d`. */
export function formatAge(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	if (seconds < 0) return "0s";
	if (seconds < 120) return `${seconds}s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 10) return pair(minutes, "m", seconds % 60, "s");
	if (minutes < 180) return `${minutes}m`;
	const hours = Math.floor(minutes / 60);
	if (hours < 8) return pair(hours, "h", minutes % 60, "m");
	if (hours < 48) return `${hours}h`;
	const days = Math.floor(hours / 24);
	if (days < 8) return pair(days, "d", hours % 24, "h");
	if (days < 730) return `${days}d`;
	const years = Math.floor(days / 365);
	return years < 8 ? pair(years, "y", days % 365, "d") : `${years}y`;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
	return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
