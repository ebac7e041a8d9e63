import { chooseSite } from "../../lifecycle/session.ts";
import { up } from "../../lifecycle/up.ts";
import { loadSite } from "../../site/load.ts";
import { readApplied } from "../../state/applied.ts";
import { defaultRoots, sitePaths } from "../../state/layout.ts";
import { openSecretStore } from "../../state/secret-store.ts";
import type { SiteOptions } from "../command.ts";
import { findingText } from "../render/finding.ts";
import { runCommand } from "../run.ts";

export interface UpFlags extends SiteOptions {
	readonly file?: readonly string[];
	readonly hosts: boolean;
}

export function runUp({ file, hosts, json, site: name }: UpFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const { site, warnings } =
			file === undefined ? await appliedSite(name) : await loadSite(file, { stdin: process.stdin });
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

/** As it was applied last, or restored. */
async function appliedSite(name: string | undefined) {
	const paths = sitePaths(await chooseSite(name, defaultRoots), defaultRoots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	return { site, warnings: [] };
}
