import { IronstrapError } from "../../lib/errors.ts";
import { fenceOfApplied, fenceOfManifests } from "../../lifecycle/fence-show.ts";
import { fenceSummary } from "../../lifecycle/fence-summary.ts";
import { verifyFence } from "../../lifecycle/fence-verify.ts";
import { watchFence } from "../../lifecycle/fence-watch.ts";
import { parseDuration } from "../../resources/duration.ts";
import { loadSite } from "../../site/load.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { runCommand } from "../run.ts";
import { lookText, summaryText } from "./words.ts";

export function runFenceStatus({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const summary = await fenceSummary(site, defaultRoots, signal);
		for (const message of summary.notes) report.emit({ type: "note", level: "warning", message });
		report.result(summary, summaryText(summary));
		return undefined;
	});
}

export function runFenceVerify({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const look = await verifyFence(site, defaultRoots, signal);
		report.result(look, lookText(look));
		return look.unexpected.length === 0 ? undefined : exitCodes.failed;
	});
}

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
