import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import { type SitePaths, type StateRoots, sitePaths } from "./layout.ts";
import { takeLock } from "./lock.ts";

/**
 * Removes a site's state. It is gone in one step, by a rename: half a state would be a site without the name of its
 * engine or without its secrets. Can be killed and repeated.
 */
export async function removeState({ removedDirectory, stateDirectory }: SitePaths): Promise<void> {
	await rm(removedDirectory, { recursive: true, force: true });
	await rename(stateDirectory, removedDirectory).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT") throw error;
	});
	await syncDirectory(dirname(stateDirectory));
	await rm(removedDirectory, { recursive: true, force: true });
}

/**
 * Ends purges that were killed after the state was gone: their sites are known to nobody any more, but files of them
 * are left. A site that somebody is working on is left alone.
 */
export async function finishPurges(roots: StateRoots): Promise<void> {
	const names = await readdir(roots.state).catch((): string[] => []);
	const sites = new Set(names.flatMap((name) => /^\.(.+)\.(?:lock|removed)$/.exec(name)?.[1] ?? []));
	for (const site of sites) {
		const paths = sitePaths(site, roots);
		if (existsSync(paths.stateDirectory)) continue;
		const lock = await takeLock(paths.lock, "down --purge").catch((error: unknown) => {
			if (error instanceof IronstrapError && error.code === "site-busy") return undefined;
			throw error;
		});
		if (lock === undefined) continue;
		try {
			if (existsSync(paths.stateDirectory)) continue;
			await rm(paths.removedDirectory, { recursive: true, force: true });
			await rm(paths.lock, { force: true });
		} finally {
			await lock.release();
		}
	}
}
