import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { titleOf } from "../converge/actions.ts";
import { planRemoval } from "../converge/plan-removal.ts";
import { applyAction } from "../engine/apply-action.ts";
import type { Engine } from "../engine/engine.ts";
import type { Before } from "../fence/before.ts";
import { projectName } from "../stack/names.ts";
import { engineOf, findApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { finishPurges, removeState } from "../state/purge.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { readVersioned } from "../state/versioned.ts";
import { runSteps } from "../steps/run.ts";
import type { Step, StepTools } from "../steps/step.ts";
import { restoreNetworkStep, tracesSince } from "./before.ts";
import { fenceStands, removeFenceStep } from "./fence-steps.ts";
import { closeHostFirewallStep } from "./host-firewall.ts";
import { quietStep } from "./quiet.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";

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

interface DownContext {
	readonly engine: Engine;
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
	const applied = await findApplied(paths, openSecretStore(paths.secretsDirectory));
	const engine = await connectSiteEngine(engineOf(applied), paths, signal);
	const observed = await engine.observe(projectName(site), signal);
	const actions = planRemoval(observed, { volumes: purge });
	const before = await readVersioned<Before>(paths.before, 1);
	const fenced = await fenceStands(site, paths, signal);
	if (actions.length > 0 || fenced || existsSync(paths.stateDirectory))
		await withSession(site, purge ? "down --purge" : "down", options, async ({ run, secrets }) => {
			const steps: Step<DownContext>[] = [
				quietStep(observed, applied, secrets),
				...actions.map((action) => ({
					id: `stack:${action.type}:${"name" in action ? action.name : ""}`,
					title: titleOf(action),
					do: (context: DownContext, tools: StepTools) => applyAction(context.engine, action, tools.signal),
				})),
				// after the last container; the fence goes when there is nothing left that could be routed
				...(existsSync(paths.firewall) ? [closeHostFirewallStep(paths)] : []),
				...(before === undefined ? [] : [restoreNetworkStep(before, engine)]),
				...(fenced ? [removeFenceStep(site, paths)] : []),
				remove("run", paths.runDirectory, () => rm(paths.runDirectory, { recursive: true, force: true })),
			];
			if (purge) steps.push(remove("state", paths.stateDirectory, () => removeState(paths)));
			await runSteps(steps, { engine }, run);
			// last, and still held: whoever waits for it finds that the file it opened is gone, and opens anew
			if (purge) await rm(paths.lock, { force: true });
		});
	if (purge) await finishPurges(roots);
	return {
		site,
		removed: actions.map((action) => ("name" in action ? action.name : "")),
		left: purge && before !== undefined ? await tracesSince(before, signal) : [],
	};
}

function remove(id: string, path: string, work: () => Promise<void>): Step<DownContext> {
	return { id: `site:remove-${id}`, title: `remove ${path}`, do: work };
}
