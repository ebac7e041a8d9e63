import { type Action, titleOf } from "../converge/actions.ts";
import type { Await, DesiredProject } from "../converge/desired.ts";
import { applyAction } from "../engine/apply-action.ts";
import { conditionMet } from "../engine/conditions.ts";
import type { Engine } from "../engine/engine.ts";
import type { Site } from "../resources/site.ts";
import type { Stack } from "../stack/inputs.ts";
import type { Step, StepTools } from "../steps/step.ts";
import { stackFilesMatch, writeStackFiles } from "./stack-files.ts";

export interface StackContext {
	readonly engine: Engine;
	readonly stack: Stack;
	readonly desired: DesiredProject;
	/** Milliseconds for one service to become healthy or a one-shot to end. */
	readonly deadlineMs: number;
	/** Milliseconds for the engine to do one thing, besides the time that a container may take to end. */
	readonly engineDeadlineMs: number;
}

/** A rendered stack on an engine, with the site's own deadlines. */
export function stackContext(
	site: Site,
	engine: Engine,
	{ desired, stack }: Pick<StackContext, "desired" | "stack">,
): StackContext {
	const { deadlines } = site.bootstrap.spec;
	return { engine, stack, desired, deadlineMs: deadlines.stack, engineDeadlineMs: deadlines.engine };
}

/** Writes the configuration that containers mount. */
export const filesStep: Step<StackContext> = {
	id: "stack:files",
	title: "write the stack's configuration",
	done: ({ stack }) => stackFilesMatch(stack),
	async do({ desired, engine, stack }, { signal }) {
		const removed = await writeStackFiles(stack);
		const dnsmasq = desired.containers.find(({ service }) => service === "dnsmasq");
		// dnsmasq notices new files by itself, but not that one is gone
		if (dnsmasq === undefined || !removed.some((path) => path.startsWith("dnsmasq/hosts/"))) return;
		if ((await engine.containerState(dnsmasq.name, signal))?.status === "running")
			await engine.signalContainer(dnsmasq.name, "SIGHUP", signal);
	},
};

/** One action as a step; a container first waits for what it depends on. */
export function actionStep(action: Action): Step<StackContext> {
	return {
		id: `stack:${action.type}:${subjectOf(action)}`,
		title: titleOf(action),
		async do(context, tools) {
			if (action.type === "create-container") await awaitAll(action.container.awaits, context, tools);
			await askEngine(context, action, tools);
		},
	};
}

/** An engine that hangs is given up on, like everything that is waited for. */
async function askEngine(
	{ engine, engineDeadlineMs }: StackContext,
	action: Action,
	{ waitFor }: StepTools,
): Promise<void> {
	const grace = action.type === "remove-container" ? action.graceSeconds * 1000 : 0;
	await waitFor(
		{
			what: `the container engine to ${titleOf(action)}`,
			deadlineMs: engineDeadlineMs + grace,
			fix: "see what the engine is doing (`journalctl -u podman`, `journalctl -u docker`, free disk space), restart it if it hangs, then run `ironstrap up` again",
		},
		async (signal) => {
			await applyAction(engine, action, signal);
			return true;
		},
	);
}

/**
 * Every service healthy, every one-shot succeeded; each is asked once what it stands on is: it could not be healthy
 * before, and asking takes processor time from those that are starting.
 */
export function readyStep(): Step<StackContext> {
	return {
		id: "stack:ready",
		title: "stack ready: a conductor with its drivers is registered",
		async do(context, tools) {
			const ready = new Map<string, Promise<void>>();
			await allOrNone(
				// a container comes after those that it waits for
				context.desired.containers.map((container) => async (failed: AbortSignal) => {
					const { awaits, oneShot, service } = container;
					const condition = oneShot ? "service_completed_successfully" : "service_healthy";
					const before = awaits.flatMap((each) => ready.get(each.service) ?? []);
					const own = Promise.all(before).then(() =>
						awaitCondition({ service, condition }, context, tools, failed),
					);
					ready.set(service, own);
					await own;
				}),
			);
		},
	};
}

/** The actions that must come one after another, and those of containers, which wait for each other by themselves. */
export function splitActions(actions: readonly Action[]): {
	readonly first: readonly Action[];
	readonly containers: readonly Action[];
} {
	const starts = (action: Action) => action.type === "create-container" || action.type === "start-container";
	return { first: actions.filter((action) => !starts(action)), containers: actions.filter(starts) };
}

export async function awaitAll(
	conditions: readonly Await[],
	context: StackContext,
	tools: StepTools,
): Promise<void> {
	await allOrNone(
		conditions.map((condition) => (failed: AbortSignal) => awaitCondition(condition, context, tools, failed)),
	);
}

/** The first failure ends the other waits as well: none of them goes on when the step is over. */
async function allOrNone(waits: readonly ((failed: AbortSignal) => Promise<void>)[]): Promise<void> {
	const failed = new AbortController();
	await Promise.all(waits.map((wait) => wait(failed.signal).catch((error: unknown) => failed.abort(error))));
	failed.signal.throwIfAborted();
}

async function awaitCondition(
	condition: Await,
	{ deadlineMs, desired, engine }: StackContext,
	tools: StepTools,
	failed: AbortSignal,
): Promise<void> {
	const wanted = {
		service_started: "start",
		service_healthy: "be healthy",
		service_completed_successfully: "finish",
	}[condition.condition];
	let seen = "";
	await tools.waitFor(
		{
			what: `${condition.service} to ${wanted}`,
			why: () => seen,
			deadlineMs,
			everyMs: 150,
			fix: `look at its log: \`ironstrap logs ${condition.service}\``,
		},
		async (signal) => {
			failed.throwIfAborted();
			const state = await conditionMet(engine, desired, condition, AbortSignal.any([signal, failed]));
			seen = state.seen;
			return state.met || undefined;
		},
	);
}

function subjectOf(action: Action): string {
	switch (action.type) {
		case "remove-container":
		case "remove-network":
		case "remove-volume":
			return action.name;
		case "create-network":
			return action.network.name;
		case "create-volume":
			return action.volume.name;
		case "create-container":
		case "start-container":
			return action.container.service;
	}
}
