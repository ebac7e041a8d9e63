import type { Action } from "../converge/actions.ts";
import { type PlannedChange, planConvergence } from "../converge/plan.ts";
import { remarks } from "../hosts/remarks.ts";
import { hostSteps } from "../hosts/steps.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";
import { appliedMatches, storeApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { runParallel, runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { checkHere } from "./check-here.ts";
import { checkMachine } from "./check-machine.ts";
import { loadStep } from "./database-load.ts";
import { fenceSteps } from "./fence-steps.ts";
import { refuseForbiddenChanges } from "./forbidden-changes.ts";
import { refuseWhenHandedOver } from "./hand-over-guard.ts";
import { withHosts } from "./host-context.ts";
import { lookAtMachine, type Machine } from "./machine.ts";
import { networkLookStep, servesFirst } from "./network-look.ts";
import { pullMissingImages } from "./pull-images.ts";
import { quietStep } from "./quiet.ts";
import { renderSite } from "./render-site.ts";
import { refuseDowngrade, servedStep } from "./served.ts";
import { type LifecycleOptions, type Session, withSession } from "./session.ts";
import { pinEngineStep } from "./site-engine.ts";
import { editedFiles } from "./stack-files.ts";
import { actionStep, filesStep, readyStep, splitActions, stackContext } from "./stack-steps.ts";
import { refuseWhenManaged } from "./systemd-units.ts";

export interface UpResult {
	readonly site: string;
	/** What was created, replaced, kept or removed in the engine, and why. */
	readonly changes: readonly PlannedChange[];
}

/**
 * Makes a site so: stack first, then (unless `hosts` is false) every host to its final state. Looks at the machine
 * and refuses before it changes anything; what a failed run made stays, and the next run continues.
 */
export async function up(
	site: Site,
	options: LifecycleOptions & { readonly hosts: boolean },
): Promise<UpResult> {
	await refuseWhenHandedOver(sitePaths(site.name, options.roots));
	refuseWhenManaged(site.name);
	const machine = await lookAround(site, options);
	await refuseDowngrade(site, machine, sitePaths(site.name, options.roots), options.signal);
	await checkMachine(site, machine, options);
	return withSession(site.name, "up", options, async (session) => {
		// again: another process may have begun one before the lock was ours
		await refuseWhenHandedOver(session.paths);
		await refuseForbiddenChanges(site, session.paths, session.secrets);
		await runSteps(
			[pinEngineStep(machine.engine, session.paths), storeStep(site, session)],
			undefined,
			session.run,
		);
		const changes = await bringUpStack(site, machine, session);
		if (options.hosts) await driveHosts(site, machine, session);
		return { site: site.name, changes };
	});
}

/** What this machine offers; images that it lacks are pulled, if nothing else stands in the way. */
async function lookAround(site: Site, options: LifecycleOptions): Promise<Machine> {
	try {
		return await lookAtMachine(site, options.roots, options.signal);
	} catch (error) {
		// one fault was met: all others are looked for as well, to be told together
		await checkHere(site, options);
		if (!(error instanceof IronstrapError) || error.code !== "image-missing") throw error;
	}
	await pullMissingImages(site, options);
	return lookAtMachine(site, options.roots, options.signal);
}

function storeStep(site: Site, { paths, secrets }: Session): Step<undefined> {
	return {
		id: "site:store",
		title: `store site ${site.name}`,
		done: () => appliedMatches(site, paths, secrets),
		do: () => storeApplied(site, paths, secrets),
	};
}

async function bringUpStack(
	site: Site,
	machine: Machine,
	session: Session,
): Promise<readonly PlannedChange[]> {
	const { engine } = machine;
	const { signal } = session.run;
	const { bridgeSubnet, desired, stack } = await renderSite(site, machine, session);
	// before the first container: no port is published without it
	await runSteps(await fenceSteps(site, machine, bridgeSubnet, session), undefined, session.run);
	const observed = await engine.observe(desired.name, signal);
	const { actions, changes } = planConvergence(desired, observed, await editedFiles(stack));
	const context = stackContext(site, engine, { stack, desired });
	const { containers, first } = splitActions(actions);
	const isFirst = (action: Action) => servesFirst(site, action);
	const look = containers.some(isFirst) ? networkLookStep(site, machine, observed, session.run) : undefined;
	const stopsIronic = first.some(
		(action) => action.type === "remove-container" && action.name.endsWith("-ironic-1"),
	);
	if (stopsIronic) await runSteps([quietStep(observed, site, session.secrets)], context, session.run);
	const served = servedStep(machine, session.paths);
	await runSteps([filesStep, ...first.map(actionStep), served], context, session.run);
	await runParallel(
		containers.map((action) => [
			...(look !== undefined && isFirst(action) ? [look] : []),
			...(isSchema(action) ? [loadStep(session.paths)] : []),
			actionStep(action),
		]),
		context,
		session.run,
		"abort",
	);
	await runSteps([readyStep()], context, session.run);
	return changes;
}

function isSchema(action: Action): boolean {
	return action.type === "create-container" && action.container.service === "schema";
}

/** All hosts at the same time; one that fails does not stop the others. */
async function driveHosts(site: Site, machine: Machine, session: Session): Promise<void> {
	const { hosts, run } = session;
	await withHosts(site, machine, session, async (context) => {
		for (const message of await remarks(site, hosts)) run.emit({ type: "note", level: "warning", message });
		await context.keepAddresses?.(site.hosts, run.signal);
		await runParallel(
			site.hosts.map((host) => hostSteps(host)),
			context,
			run,
			"finish",
		);
	});
}
