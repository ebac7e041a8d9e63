import { setTimeout as sleep } from "node:timers/promises";
import { refusals } from "../../fence/refusals.ts";
import { type SiteStatus, siteStatus } from "../../lifecycle/status.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { hostTable } from "../render/host-table.ts";
import { table } from "../render/table.ts";
import { runCommand } from "../run.ts";

export interface StatusFlags extends SiteOptions {
	readonly watch?: boolean;
}

export function runStatus({ json, site, watch = false }: StatusFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		let shown: string | undefined;
		do {
			const status = await siteStatus(site, defaultRoots, signal);
			const text = statusText(status, Date.now());
			if (text !== shown) report.result(status, text);
			shown = text;
			if (watch) await sleep(1000, undefined, { signal });
		} while (watch);
		return undefined;
	});
}

/** Exported for its test. */
export function statusText({ engine, fence, hosts, services, site, waits }: SiteStatus, now: number): string {
	const rows = services.map(({ exitCode, service, state }) => [
		service,
		exitCode === undefined ? state : `${state} (${exitCode})`,
	]);
	return [
		`site ${site} on ${engine.kind} ${engine.version}`,
		"",
		services.length === 0 ? "the stack is down" : table(["SERVICE", "STATE"], rows),
		"",
		...fenceLines(fence),
		"",
		hosts.length === 0 ? "no hosts" : hostTable(hosts),
		...waits.map(
			({ deadline, what, why }) =>
				`\nwaiting for ${what}${why === "" ? "" : `: ${why}`} (gives up in ${Math.max(0, Math.round((Date.parse(deadline) - now) / 1000))} s)`,
		),
	].join("\n");
}

function fenceLines({
	dhcp,
	egress,
	heard,
	mode,
	refused,
	state,
	unknownServers,
}: SiteStatus["fence"]): readonly string[] {
	const words = {
		intact: `intact (${mode}; DHCP for ${dhcp === "closed" ? "known" : "all"} servers; egress ${egress})`,
		altered: "ALTERED by somebody: `ironstrap up` or `ironstrap fence watch` puts it back",
		missing: "MISSING: `ironstrap up` or `ironstrap fence watch` puts it back",
		down: "down",
		none: "none, as the site asks (fence.mode: none)",
		unknown: "unknown: nftables cannot be asked",
	}[state];
	return [
		`fence ${words}`,
		...Object.entries(refused).map(
			([name, packets]) => `  refused ${packets} packets ${refusals[name as keyof typeof refusals]}`,
		),
		...unknownServers.map(
			({ mac, protocol, secondsAgo }) => `  unknown server seen: ${mac} (${protocol}, ${secondsAgo} s ago)`,
		),
		...heard.map(
			({ address, kind, mac, secondsAgo }) =>
				`  another ${kind} heard: ${address} (${mac}), ${secondsAgo} s ago`,
		),
	];
}
