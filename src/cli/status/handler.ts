import { setTimeout as sleep } from "node:timers/promises";
import { type SiteStatus, siteStatus } from "../../lifecycle/status.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { fenceLines } from "../render/fence-lines.ts";
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
