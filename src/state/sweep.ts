import { rm } from "node:fs/promises";
import { sweepTemporaries } from "../lib/atomic-file.ts";
import type { SitePaths } from "./layout.ts";

/**
 * Removes what a killed command left that no later one would replace: half-written files (some hold secrets), its
 * scratch files, its waits, a state that was being purged. Only for the holder of the site's lock.
 */
export async function sweepLeftovers(paths: SitePaths): Promise<void> {
	for (const path of [paths.removedDirectory, paths.scratchDirectory, paths.waits, `${paths.waits}.tmp`])
		await rm(path, { recursive: true, force: true });
	for (const directory of [paths.stateDirectory, paths.runDirectory]) await sweepTemporaries(directory);
}
