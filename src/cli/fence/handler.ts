import { fenceOfApplied, fenceOfManifests } from "../../lifecycle/fence-show.ts";
import { watchFence } from "../../lifecycle/fence-watch.ts";
import { loadSite } from "../../site/load.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";

export interface ShowFlags extends SiteOptions {
	readonly file?: readonly string[];
}

export function runFenceShow({ file, json, site }: ShowFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const shown =
			file === undefined
				? await fenceOfApplied(site, defaultRoots, signal)
				: await fenceOfManifests((await loadSite(file, { stdin: process.stdin })).site, signal);
		for (const message of shown.notes) report.emit({ type: "note", level: "warning", message });
		report.result(shown, shown.ruleset?.trimEnd() ?? "# the site asks for no fence (fence.mode: none)");
		return undefined;
	});
}

export function runFenceWatch({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const result = await watchFence({ site, roots: defaultRoots, emit: report.emit, signal });
		report.result(result, `${result.site} is down: nothing is left to watch`);
		return undefined;
	});
}
