import { type RunOptions, runSteps, undoSteps } from "../steps/run.ts";
import type { PivotPlan } from "./plan.ts";
import { clearedStep, commitStep, rolledBackStep } from "./steps/commit.ts";
import type { PivotContext, PivotStep } from "./steps/context.ts";
import { fenceStep, proveStep } from "./steps/fence.ts";
import { freezeStep } from "./steps/freeze.ts";
import { createHostStep, statusStep } from "./steps/host.ts";
import { ironicReadyStep, ironicStep } from "./steps/ironic.ts";
import { hardwareDataStep, namespaceStep, ownerStep, secretStep, tryStep } from "./steps/prepare.ts";
import { releaseStep, soakStep } from "./steps/release.ts";

/**
 * The hand-over, from wherever it is to its end. Every step looks at the world first, so that the same list begins a
 * hand-over and continues one that was killed. At no point may two Ironics manage a server: the source is fenced
 * before anything that could act is made, and nothing is let go before that was proven.
 */
export async function runPivot(context: PivotContext, run: RunOptions): Promise<void> {
	const { plan, source } = context;
	await runSteps([...plan.hosts.map(freezeStep), ...prepareSteps(plan), fenceStep], context, run);
	await runSteps(await source.removal(run.signal), undefined, run);
	await runSteps([proveStep, ...takeOverSteps(plan), soakStep, commitStep], context, run);
}

/** Takes everything out of the target again, in reverse; then the source may come back. */
export async function clearTarget(context: PivotContext, run: RunOptions): Promise<void> {
	const { plan } = context;
	await undoSteps([...prepareSteps(plan), ...takeOverSteps(plan)], context, run);
	await runSteps([clearedStep], context, run);
}

/** The source manages its servers again; its stack must run. */
export async function unfreeze(context: PivotContext, run: RunOptions): Promise<void> {
	await undoSteps(context.plan.hosts.map(freezeStep), context, run);
	await runSteps([rolledBackStep], context, run);
}

/** P3: what nobody acts on. */
function prepareSteps({ hosts, namespaces, secrets }: PivotPlan): readonly PivotStep[] {
	return [
		...namespaces.map(namespaceStep),
		tryStep,
		...secrets.map(secretStep),
		...hosts.flatMap(({ hardwareData }) =>
			hardwareData === undefined ? [] : [hardwareDataStep(hardwareData)],
		),
	];
}

/** P5 to P7. */
function takeOverSteps({ hosts, ironic }: PivotPlan): readonly PivotStep[] {
	return [
		...hosts.flatMap((host) => [
			createHostStep(host),
			statusStep(host),
			...(host.hardwareData === undefined ? [] : [ownerStep(host, host.hardwareData)]),
		]),
		...(ironic === undefined ? [] : [ironicStep(ironic), ironicReadyStep(ironic)]),
		...hosts.map(releaseStep),
	];
}
