import { type Candidate, chooseHosts } from "../hosts/choose.ts";
import { IronstrapError } from "../lib/errors.ts";
import { sitePaths } from "../state/layout.ts";
import { readWaits } from "../state/waits.ts";
import { waitFor } from "../steps/wait.ts";
import { hostsOf } from "./host-verbs.ts";
import type { LifecycleOptions } from "./session.ts";

export interface WaitOptions extends LifecycleOptions {
	readonly site: string | undefined;
	/** As a person names them; all when empty. */
	readonly hosts: readonly string[];
	/** `state=provisioned`, `online=true`, `error=`, or `delete`. */
	readonly condition: string;
	readonly timeoutMs: number;
}

/**
 * Waits until every named host fulfils a condition, by what is stored: some other ironstrap does the work. Errors:
 * `deadline-passed`, `usage`.
 */
export async function waitForHosts(options: WaitOptions): Promise<readonly Candidate[]> {
	const { condition, hosts: words, roots, signal, timeoutMs } = options;
	const fulfils = parseCondition(condition);
	const { hosts, site } = await hostsOf(options.site, roots);
	const names = chooseHosts(hosts, words).map(({ name, namespace }) => `${namespace}/${name}`);
	const { waits } = sitePaths(site, roots);
	let missing: readonly Candidate[] = [];
	return waitFor(
		{
			what: `${names.join(", ")} to fulfil ${condition}`,
			why: () => missing.map((host) => seen(host, waits)).join("; "),
			deadlineMs: timeoutMs,
			everyMs: 1000,
			fix: "see what keeps them: `ironstrap status`, `ironstrap hosts trace NAME`",
		},
		async () => {
			const now = (await hostsOf(site, roots)).hosts;
			const chosen = names.map((name) => now.find((host) => `${host.namespace}/${host.name}` === name));
			missing = chosen.flatMap((host) => (host !== undefined && !fulfils(host) ? [host] : []));
			if (missing.length > 0 || (condition !== "delete" && chosen.includes(undefined))) return undefined;
			return chosen.flatMap((host) => host ?? []);
		},
		options.emit,
		signal,
	);
}

function parseCondition(condition: string): (host: Candidate) => boolean {
	if (condition === "delete") return () => false;
	const [, field, value] = /^(state|online|error)=(.*)$/.exec(condition) ?? [];
	switch (field) {
		case "state":
			return ({ stored }) => stored?.status.provisioning.state === value;
		case "online":
			return ({ stored }) => String(stored?.status.poweredOn) === value;
		case "error":
			return ({ stored }) => stored !== undefined && (stored.status.errorType ?? "") === value;
		default:
			throw new IronstrapError({
				code: "usage",
				message: `${JSON.stringify(condition)} is nothing that can be waited for`,
				fix: "--for=state=provisioned, --for=online=true, --for=error= (none) or --for=delete",
			});
	}
}

/** `metal3/cp-0 inspecting (inspect wait, power on)`; what the working process says of it, if there is one. */
function seen({ name, namespace, stored }: Candidate, waits: string): string {
	const subject = `BareMetalHost ${namespace}/${name}`;
	const wait = readWaits(waits).find((candidate) => candidate.subject === subject);
	const error = stored?.status.errorType;
	const words = [wait?.why, error].filter((text) => text !== undefined && text !== "").join(", ");
	return `${namespace}/${name} ${stored?.status.provisioning.state || "not registered"}${words === "" ? "" : ` (${words})`}`;
}
