import { loadSite } from "../../site/load.ts";
import type { CommonOptions } from "../command.ts";
import { findingText } from "../render/finding.ts";
import { runCommand } from "../run.ts";

export interface LintFlags extends CommonOptions {
	readonly file: readonly string[];
}

export function runLint({ file, json }: LintFlags): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const { site, warnings } = await loadSite(file, { stdin: process.stdin });
		for (const warning of warnings)
			report.emit({ type: "note", level: "warning", message: findingText(warning) });
		report.result(
			{ site: site.name, hosts: site.hosts.length, warnings },
			`${site.name}: no fault found (${site.hosts.length} hosts, ${warnings.length} warnings)`,
		);
		return undefined;
	});
}
