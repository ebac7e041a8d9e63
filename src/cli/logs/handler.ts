import { createInterface } from "node:readline";
import { siteLogs } from "../../lifecycle/logs.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";

export interface LogsFlags extends SiteOptions {
	readonly follow?: boolean;
	readonly tail: string;
}

export function runLogs(
	services: readonly string[],
	{ follow = false, json, site, tail }: LogsFlags,
): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const streams = await siteLogs({
			site,
			services,
			follow,
			tail: Number(tail),
			roots: defaultRoots,
			signal,
		});
		const width = Math.max(0, ...streams.map(({ service }) => service.length));
		await Promise.all(
			streams.map(async ({ service, stream }) => {
				for await (const text of createInterface({ input: stream }))
					report.line({ type: "log", service, text }, `${service.padEnd(width)} | ${text}`);
			}),
		);
		if (json === true) report.result({ services: streams.map(({ service }) => service) }, "");
		return undefined;
	});
}
