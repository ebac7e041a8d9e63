import type { Reporter } from "./reporter.ts";

/**
 * Chooses the way to report: JSON when asked for, live on a terminal that can be redrawn (unless the command draws
 * there itself), plain lines elsewhere.
 */
export async function openReporter(json: boolean, redraws = true): Promise<Reporter> {
	if (json) return (await import("./json.ts")).jsonReporter(process.stdout);
	const dumb = process.env.TERM === "dumb" || process.env.CI !== undefined;
	if (redraws && process.stdout.isTTY && !dumb)
		return (await import("./live.ts")).liveReporter(process.stdout, process.stderr);
	return (await import("./plain.ts")).plainReporter(process.stdout, process.stderr);
}
