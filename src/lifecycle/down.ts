import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Before } from "../fence/before.ts";
import { engineOf, findApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { finishPurges, removeState } from "../state/purge.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { readVersioned } from "../state/versioned.ts";
import { runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { tracesSince } from "./before.ts";
import { refuseWhilePivoting } from "./hand-over-guard.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";
import { stackRemoval } from "./stack-removal.ts";

export interface DownOptions extends LifecycleOptions {
	/** The named site, or the only one there is. */
	readonly site?: string | undefined;
	/** Also the volumes, the stored state and the secrets. */
	readonly purge: boolean;
}

export interface DownResult {
	readonly site: string;
	readonly removed: readonly string[];
	/** After a purge: what the engine changed about this machine's network and is still so. */
	readonly left: readonly string[];
}

/**
 * Takes a stack away: services in reverse order, each with the time it needs to end cleanly. The servers are not
 * touched. Works from what the engine reports, so that it can be repeated, and needs no manifest.
 */
export async function down(options: DownOptions): Promise<DownResult> {
	const { purge, roots, signal } = options;
	// a named site may have lost its state and still have containers
	const site = options.site ?? (await chooseSite(undefined, roots));
	const paths = sitePaths(site, roots);
	const secrets = openSecretStore(paths.secretsDirectory);
	const applied = await findApplied(paths, secrets);
	const engine = await connectSiteEngine(engineOf(applied), paths, signal);
	const before = await readVersioned<Before>(paths.before, 1);
	const { removed, steps: takeAway } = await stackRemoval(
		{ engine, site, paths, applied, secrets, volumes: purge },
		signal,
	);
	if (purge) await refuseWhilePivoting(paths);
	if (takeAway.length > 0 || existsSync(paths.stateDirectory))
		await withSession(site, purge ? "down --purge" : "down", options, async ({ run }) => {
			const steps: Step<unknown>[] = [
				...takeAway,
				remove("run", paths.runDirectory, () => rm(paths.runDirectory, { recursive: true, force: true })),
			];
			if (purge) steps.push(remove("state", paths.stateDirectory, () => removeState(paths)));
			await runSteps(steps, undefined, run);
			// last, and still held: whoever waits for it finds that the file it opened is gone, and opens anew
			if (purge) await rm(paths.lock, { force: true });
		});
	if (purge) await finishPurges(roots);
	return { site, removed, left: purge && before !== undefined ? await tracesSince(before, signal) : [] };
}

function remove(id: string, path: string, work: () => Promise<void>): Step<unknown> {
	return { id: `site:remove-${id}`, title: `remove ${path}`, do: work };
}
