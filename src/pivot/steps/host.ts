import type { KubeObject } from "../../kube/objects.ts";
import { refOf } from "../../kube/objects.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { readBackFaults } from "../compare.ts";
import type { PlannedHost } from "../plan.ts";
import { PAUSED, pausedBy } from "../target-host.ts";
import type { PivotContext, PivotStep } from "./context.ts";
import { applyOwned, contentFaults, findOwned, readBackError, removeOwned } from "./owned.ts";

/** BMO's own finalizer: it has seen the host unpaused. */
export const BMO_FINALIZER = "baremetalhost.metal3.io";

/**
 * P5: the host, paused and with its status as annotation in one request: there is no moment at which BMO could take it
 * for a new one.
 */
export function createHostStep(host: PlannedHost): PivotStep {
	const { name, namespace, object } = host;
	return {
		id: `pivot:host:${namespace}~${name}`,
		title: `create BareMetalHost ${namespace}/${name}, paused`,
		async done(context) {
			const found = await findOwned(context, object);
			return found !== undefined && (isReleased(found, context) || contentFaults(object, found).length === 0);
		},
		async do(context) {
			const found = await findOwned(context, object);
			// never again once it was let go: it would be paused anew, with an old status
			if (found === undefined || !isReleased(found, context)) await applyOwned(context, object);
		},
		async verify(context) {
			const found = await findOwned(context, object);
			const faults = found === undefined ? ["it is gone"] : contentFaults(object, found);
			if (faults.length > 0) throw readBackError(object, faults);
		},
		async undo(context, tools) {
			const found = await findOwned(context, object);
			if (found === undefined) return;
			refusePlainDelete(host, found);
			await removeOwned(context, object, tools);
		},
	};
}

/** P5: the status by itself, so that the host has one even if nobody ever reads the annotation. */
export function statusStep(host: PlannedHost): PivotStep {
	const { name, namespace, object, status } = host;
	return {
		id: `pivot:status:${namespace}~${name}`,
		title: `write the status of BareMetalHost ${namespace}/${name}`,
		async done(context) {
			const found = await findOwned(context, object);
			return found !== undefined && (isReleased(found, context) || statusFaults(host, found).length === 0);
		},
		do: async ({ kube }) => void (await kube.writeStatus(refOf(object), status)),
		async verify(context) {
			const found = await findOwned(context, object);
			const faults = found === undefined ? ["it is gone"] : hostFaults(host, found);
			if (faults.length > 0) throw readBackError(object, faults);
		},
	};
}

/** Where the paused host in the target differs from the plan, in its specification, annotations or status. */
export function hostFaults(host: PlannedHost, found: KubeObject): readonly string[] {
	return [...contentFaults(host.object, found), ...statusFaults(host, found)];
}

/** Not paused by us any more: BMO has it, or somebody else paused it. */
export function isReleased({ metadata }: KubeObject, { plan }: Pick<PivotContext, "plan">): boolean {
	return metadata.annotations?.[PAUSED] !== pausedBy(plan.run);
}

function statusFaults({ status }: PlannedHost, found: KubeObject): readonly string[] {
	return readBackFaults(status, found.status ?? {}, "status");
}

/** BMO powers off, or wipes, what is deleted while it manages it. */
function refusePlainDelete({ name, namespace }: PlannedHost, { metadata, status }: KubeObject): void {
	const managed = metadata.finalizers?.includes(BMO_FINALIZER) === true;
	const { operationalStatus } = (status ?? {}) as { readonly operationalStatus?: string };
	if (!managed || operationalStatus === "detached") return;
	throw new IronstrapError({
		code: "pivot-rollback-refused",
		message: "the cluster manages the host: deleted now, it would be switched off",
		subject: `BareMetalHost ${namespace}/${name}`,
		seen: `operationalStatus ${operationalStatus || "none"}`,
		fix: "let BMO detach it first: run `ironstrap pivot rollback` again when BMO works",
	});
}
