import { up } from "../../lifecycle/up.ts";
import { loadSite } from "../../site/load.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { CommonOptions } from "../command.ts";
import { findingText } from "../render/finding.ts";
import { runCommand } from "../run.ts";

export interface UpFlags extends CommonOptions {
	readonly file: readonly string[];
	readonly hosts: boolean;
}

export function runUp({ file, hosts, json }: UpFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const { site, warnings } = await loadSite(file, { stdin: process.stdin });
		for (const warning of warnings)
			report.emit({ type: "note", level: "warning", message: findingText(warning) });
		const { changes } = await up(site, { roots: defaultRoots, emit: report.emit, signal, hosts });
		const made = changes.filter(({ change }) => change !== "keep").length;
		report.result(
			{ site: site.name, changes },
			`${site.name} is up: ${made === 0 ? "nothing had to change" : `${made} changes`} in the stack`,
		);
		return undefined;
	});
}
