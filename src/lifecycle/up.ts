import { type PlannedChange, planConvergence } from "../converge/plan.ts";
import { hostSteps } from "../hosts/steps.ts";
import { createIronicClient } from "../ironic/client.ts";
import type { Site } from "../resources/site.ts";
import { apiAccess } from "../state/api-access.ts";
import { appliedMatches, storeApplied } from "../state/applied.ts";
import { runParallel, runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { checkMachine } from "./check-machine.ts";
import { lookAtMachine, type Machine } from "./machine.ts";
import { renderSite } from "./render-site.ts";
import { type LifecycleOptions, type Session, withSession } from "./session.ts";
import { actionStep, filesStep, readyStep, splitActions } from "./stack-steps.ts";

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
	const machine = await lookAtMachine(site, options.signal);
	await checkMachine(site, machine, options);
	return withSession(site.name, "up", options, async (session) => {
		await runSteps([storeStep(site, session)], undefined, session.run);
		const changes = await bringUpStack(site, machine, session);
		if (options.hosts) await driveHosts(site, session, options.signal);
		return { site: site.name, changes };
	});
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
	const { desired, stack } = await renderSite(site, machine, session);
	const { actions, changes } = planConvergence(desired, await engine.observe(desired.name, signal));
	const { deadlines } = site.bootstrap.spec;
	const context = {
		engine,
		stack,
		desired,
		deadlineMs: deadlines.stack,
		engineDeadlineMs: deadlines.engine,
	};
	const { containers, first } = splitActions(actions);
	await runSteps([filesStep, ...first.map(actionStep)], context, session.run);
	await runParallel(
		containers.map((action) => [actionStep(action)]),
		context,
		session.run,
		"abort",
	);
	await runSteps([readyStep()], context, session.run);
	return changes;
}

/** All hosts at the same time; one that fails does not stop the others. */
async function driveHosts(site: Site, { hosts, run, secrets }: Session, signal: AbortSignal): Promise<void> {
	const access = await apiAccess(secrets, site.ironic.spec.networking.apiPort);
	const ironic = createIronicClient({ ...access, signal });
	await runParallel(site.hosts.map(hostSteps), { site, ironic, store: hosts }, run, "finish");
}
