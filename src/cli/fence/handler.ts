import { IronstrapError } from "../../lib/errors.ts";
import { fenceOfApplied, fenceOfManifests } from "../../lifecycle/fence-show.ts";
import { watchFence } from "../../lifecycle/fence-watch.ts";
import { parseDuration } from "../../resources/duration.ts";
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

export interface WatchFlags extends SiteOptions {
	readonly resolveEvery: string;
}

export function runFenceWatch({ json, resolveEvery, site }: WatchFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const resolveMs = durationOf(resolveEvery);
		const result = await watchFence({ site, resolveMs, roots: defaultRoots, emit: report.emit, signal });
		report.result(result, `${result.site} is down: nothing is left to watch`);
		return undefined;
	});
}

function durationOf(text: string): number {
	try {
		return parseDuration(text);
	} catch (error) {
		throw new IronstrapError({
			code: "usage",
			message: (error as Error).message,
			fix: "give --resolve-every a duration such as 1m",
		});
	}
}
