import { type Action, titleOf } from "../converge/actions.ts";
import type { DesiredContainer, DesiredProject } from "../converge/desired.ts";
import { applyAction } from "../engine/apply-action.ts";
import { conditionMet } from "../engine/conditions.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stack } from "../stack/inputs.ts";
import type { Step, StepTools } from "../steps/step.ts";
import { stackFilesMatch, writeStackFiles } from "./stack-files.ts";

export interface StackContext {
	readonly engine: Engine;
	readonly stack: Stack;
	readonly desired: DesiredProject;
	/** Milliseconds for one service to become healthy or a one-shot to end. */
	readonly deadlineMs: number;
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
			if (action.type === "create-container") await awaitDependencies(action.container, context, tools);
			await applyAction(context.engine, action, tools.signal);
		},
	};
}

/** Every service healthy, every one-shot succeeded. */
export function readyStep(): Step<StackContext> {
	return {
		id: "stack:ready",
		title: "stack ready: a conductor with its drivers is registered",
		async do(context, tools) {
			await Promise.all(
				context.desired.containers.map(({ oneShot, service }) =>
					awaitCondition(
						{ service, condition: oneShot ? "service_completed_successfully" : "service_healthy" },
						context,
						tools,
					),
				),
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

async function awaitDependencies(
	container: DesiredContainer,
	context: StackContext,
	tools: StepTools,
): Promise<void> {
	await Promise.all(container.awaits.map((condition) => awaitCondition(condition, context, tools)));
}

async function awaitCondition(
	condition: DesiredContainer["awaits"][number],
	{ deadlineMs, desired, engine }: StackContext,
	tools: StepTools,
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
			const state = await conditionMet(engine, desired, condition, signal);
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
