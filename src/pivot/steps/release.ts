import { type KubeObject, refOf } from "../../kube/objects.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { StepTools } from "../../steps/step.ts";
import type { PlannedHost } from "../plan.ts";
import { takeOverState } from "../take-over.ts";
import { PAUSED, pausedBy } from "../target-host.ts";
import type { PivotContext, PivotStep } from "./context.ts";
import { proveFence } from "./fence.ts";
import { hostFaults, isReleased } from "./host.ts";
import { findOwned, readBackError } from "./owned.ts";

/** BMO lets go of a host that carries this, without touching the server. */
const DETACHED = "baremetalhost.metal3.io/detached";

/** P7: one host is let go, and watched until BMO has taken it over and is content for a while. */
export function releaseStep(host: PlannedHost): PivotStep {
	const { name, namespace, object } = host;
	return {
		id: `pivot:release:${namespace}~${name}`,
		title: `let the cluster manage BareMetalHost ${namespace}/${name}`,
		async done(context) {
			const found = await context.kube.get(refOf(object));
			return found !== undefined && isReleased(found, context) && takeOverState(host, found).kind === "taken";
		},
		async do(context, tools) {
			const found = await present(context, host);
			if (!isReleased(found, context)) await unpause(context, host, found, tools.signal);
			await untilTaken(context, host, tools);
			await stayingWell(context, [host], context.times.settle, tools);
		},
		async undo(context, tools) {
			const found = await findOwned(context, object);
			if (found === undefined || !isReleased(found, context)) return;
			await detach(context, host, found, tools);
		},
	};
}

/** P8: power syncs and BMO's polls pass, and nothing happens to any host. */
export const soakStep: PivotStep = {
	id: "pivot:soak",
	title: "see whether all hosts stay well",
	do: (context, tools) => stayingWell(context, context.plan.hosts, context.times.soak, tools),
};

/** The last look before somebody else may act: the source is away, and the target has exactly what was planned. */
async function unpause(
	context: PivotContext,
	host: PlannedHost,
	found: KubeObject,
	signal: AbortSignal,
): Promise<void> {
	const faults = hostFaults(host, found);
	if (faults.length > 0) throw readBackError(host.object, faults);
	await proveFence(context, signal);
	const path = `/metadata/annotations/${PAUSED.replace("/", "~1")}`;
	try {
		await context.kube.patch(refOf(host.object), [
			{ op: "test", path: "/metadata/resourceVersion", value: found.metadata.resourceVersion },
			{ op: "test", path, value: pausedBy(context.plan.run) },
			{ op: "remove", path },
		]);
	} catch (error) {
		// done, but the answer was lost, and a second request found it done
		if (!isReleased(await present(context, host), context)) throw error;
	}
}

async function untilTaken(context: PivotContext, host: PlannedHost, { waitFor }: StepTools): Promise<void> {
	let seen = "";
	await waitFor(
		{
			what: `BMO to take over ${host.namespace}/${host.name}`,
			why: () => seen,
			deadlineMs: context.times.host,
			subject: subjectOf(host),
			fix: "the server runs on, whatever BMO says; remove the cause and `ironstrap pivot resume`, or take it all back with `ironstrap pivot rollback`",
		},
		async (signal) => {
			const state = await stateOf(context, host, signal);
			if (state.kind === "waiting") seen = state.seen;
			return state.kind === "taken" || undefined;
		},
	);
}

/** Ends when every host was seen well from the first to the last look. */
async function stayingWell(
	context: PivotContext,
	hosts: readonly PlannedHost[],
	milliseconds: number,
	{ waitFor }: StepTools,
): Promise<void> {
	const end = Date.now() + milliseconds;
	await waitFor(
		{
			what: hosts.length === 1 ? `${hosts[0]?.name} to stay well` : "all hosts to stay well",
			why: "two power syncs and two polls of BMO must pass without anything happening",
			deadlineMs: milliseconds + context.times.host,
			everyMs: Math.min(5000, Math.max(100, milliseconds / 4)),
		},
		async (signal) => {
			for (const host of hosts) {
				const state = await stateOf(context, host, signal);
				if (state.kind === "waiting") throw troubled(host, state.seen);
			}
			return Date.now() >= end || undefined;
		},
	);
}

async function stateOf(context: PivotContext, host: PlannedHost, signal: AbortSignal) {
	const found = await context.kube.get(refOf(host.object), { signal });
	if (found === undefined) throw troubled(host, "it is gone from the cluster");
	const state = takeOverState(host, found);
	if (state.kind === "wrong") throw troubled(host, state.seen);
	return state;
}

async function detach(
	{ kube, times }: PivotContext,
	host: PlannedHost,
	found: KubeObject,
	{ waitFor }: StepTools,
): Promise<void> {
	const ref = refOf(host.object);
	if (found.metadata.annotations?.[DETACHED] === undefined) {
		const path = `/metadata/annotations/${DETACHED.replace("/", "~1")}`;
		const annotations = found.metadata.annotations;
		await kube.patch(ref, [
			{ op: "test", path: "/metadata/resourceVersion", value: found.metadata.resourceVersion },
			...(annotations === undefined
				? [{ op: "add" as const, path: "/metadata/annotations", value: {} }]
				: []),
			{ op: "add", path, value: "" },
		]);
	}
	let seen = "";
	await waitFor(
		{
			what: `BMO to let go of ${host.namespace}/${host.name}`,
			why: () => seen,
			deadlineMs: times.host,
			subject: subjectOf(host),
			fix: "see whether BMO runs and whether the host is paused; then `ironstrap pivot rollback` again",
		},
		async (signal) => {
			const now = await kube.get(ref, { signal });
			const { operationalStatus } = (now?.status ?? {}) as { readonly operationalStatus?: string };
			seen = `operationalStatus ${operationalStatus || "empty"}`;
			return now === undefined || operationalStatus === "detached" || undefined;
		},
	);
}

async function present(context: PivotContext, host: PlannedHost): Promise<KubeObject> {
	const found = await findOwned(context, host.object);
	if (found === undefined) throw troubled(host, "it is gone from the cluster");
	return found;
}

function troubled(host: PlannedHost, seen: string): IronstrapError {
	return new IronstrapError({
		code: "pivot-host-troubled",
		message: "something happened to a host that the cluster manages: no other one is let go",
		subject: subjectOf(host),
		seen,
		fix: "see `kubectl describe bmh`; then `ironstrap pivot resume`, or take it all back with `ironstrap pivot rollback`",
	});
}

function subjectOf({ name, namespace }: PlannedHost): string {
	return `BareMetalHost ${namespace}/${name}`;
}
