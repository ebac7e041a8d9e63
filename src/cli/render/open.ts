import type { Reporter } from "./reporter.ts";

/** Chooses the way to report: JSON when asked for, live on a terminal that can be redrawn, plain lines elsewhere. */
export async function openReporter(json: boolean): Promise<Reporter> {
	if (json) return (await import("./json.ts")).jsonReporter(process.stdout);
	const dumb = process.env.TERM === "dumb" || process.env.CI !== undefined;
	if (process.stdout.isTTY && !dumb)
		return (await import("./live.ts")).liveReporter(process.stdout, process.stderr);
	return (await import("./plain.ts")).plainReporter(process.stdout, process.stderr);
}
