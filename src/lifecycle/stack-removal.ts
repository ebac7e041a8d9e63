import { existsSync } from "node:fs";
import { type Action, titleOf } from "../converge/actions.ts";
import { planRemoval } from "../converge/plan-removal.ts";
import { applyAction } from "../engine/apply-action.ts";
import type { Engine } from "../engine/engine.ts";
import type { Before } from "../fence/before.ts";
import type { Site } from "../resources/site.ts";
import { projectName } from "../stack/names.ts";
import type { SitePaths } from "../state/layout.ts";
import type { SecretStore } from "../state/secret-store.ts";
import { readVersioned } from "../state/versioned.ts";
import type { Step } from "../steps/step.ts";
import { restoreNetworkStep } from "./before.ts";
import { fenceStands, removeFenceStep } from "./fence-steps.ts";
import { closeHostFirewallStep } from "./host-firewall.ts";
import { quietStep } from "./quiet.ts";
import { removeUnitsStep } from "./systemd-steps.ts";

export interface StackRemoval {
	readonly engine: Engine;
	readonly site: string;
	readonly paths: SitePaths;
	/** `undefined` when its state is lost: the stack is found by its labels. */
	readonly applied: Site | undefined;
	readonly secrets: SecretStore;
	/** Whether the data goes, too. */
	readonly volumes: boolean;
}

/** What takes a stack away, from what there is of it now: services in reverse order, then the fence. */
export async function stackRemoval(
	{ applied, engine, paths, secrets, site, volumes }: StackRemoval,
	signal: AbortSignal,
): Promise<{ readonly steps: readonly Step<unknown>[]; readonly removed: readonly string[] }> {
	const observed = await engine.observe(projectName(site), signal);
	const actions = planRemoval(observed, { volumes });
	const before = await readVersioned<Before>(paths.before, 1);
	const fenced = await fenceStands(site, paths, signal);
	return {
		removed: actions.map(nameOf),
		steps: [
			...(actions.length === 0 ? [] : [quietStep(observed, applied, secrets)]),
			// or systemd would start again what is taken away below
			removeUnitsStep(site),
			...actions.map((action) => removalStep(engine, action)),
			// after the last container; the fence goes when there is nothing left that could be routed
			...(existsSync(paths.firewall) ? [closeHostFirewallStep(paths)] : []),
			...(before === undefined ? [] : [restoreNetworkStep(before, engine)]),
			...(fenced ? [removeFenceStep(site, paths)] : []),
		],
	};
}

/** One action that takes something away, as a step. */
export function removalStep(engine: Engine, action: Action): Step<unknown> {
	return {
		id: `stack:${action.type}:${nameOf(action)}`,
		title: titleOf(action),
		do: (_context, tools) => applyAction(engine, action, tools.signal),
	};
}

function nameOf(action: Action): string {
	return "name" in action ? action.name : "";
}
