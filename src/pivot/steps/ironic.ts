import { type KubeObject, refOf, refText } from "../../kube/objects.ts";
import type { PivotStep } from "./context.ts";
import { applyOwned, contentFaults, findOwned, readBackError, removeOwned } from "./owned.ts";

interface Condition {
	readonly type: string;
	readonly status: string;
	readonly reason?: string;
	readonly message?: string;
	readonly observedGeneration?: number;
}

/** P6: the target's Ironic. All hosts are paused, so that it has nobody to manage yet. */
export function ironicStep(ironic: KubeObject): PivotStep {
	return {
		id: "pivot:ironic",
		title: `write ${refText(refOf(ironic))}`,
		async done(context) {
			const found = await findOwned(context, ironic);
			return found !== undefined && contentFaults(ironic, found).length === 0;
		},
		do: (context) => applyOwned(context, ironic),
		async verify(context) {
			const found = await findOwned(context, ironic);
			const faults = found === undefined ? ["it is gone"] : contentFaults(ironic, found);
			if (faults.length > 0) throw readBackError(ironic, faults);
		},
		async undo(context, tools) {
			await removeOwned(context, ironic, tools);
			const { name, namespace } = ironic.metadata;
			let left: readonly string[] = [];
			// a pod outlives the object that it was made for
			await tools.waitFor(
				{
					what: "the target's Ironic to be gone",
					why: () => `pods ${left.join(", ")}`,
					deadlineMs: context.times.ironic,
					fix: "see why they do not end (`kubectl get pods`), then run `ironstrap pivot rollback` again: two Ironics must not run",
				},
				async (signal) => {
					const pods = await context.kube.list("Pod", namespace, { signal });
					left = pods
						.filter(({ metadata }) => metadata.labels?.["ironic.metal3.io/ironic"] === name)
						.map(({ metadata }) => metadata.name);
					return left.length === 0 || undefined;
				},
			);
		},
	};
}

/** P6: it is ready, for the specification that was written. */
export function ironicReadyStep(ironic: KubeObject): PivotStep {
	return {
		id: "pivot:ironic-ready",
		title: "target's Ironic ready",
		async do(context, { waitFor }) {
			let seen = "no status yet";
			await waitFor(
				{
					what: `${refText(refOf(ironic))} to be ready`,
					why: () => seen,
					deadlineMs: context.times.ironic,
					subject: refText(refOf(ironic)),
					fix: "see its conditions and its pods; then `ironstrap pivot resume`, or `ironstrap pivot rollback`",
				},
				async (signal) => {
					const found = await context.kube.get(refOf(ironic), { signal });
					const ready = readyOf(found);
					if (ready !== undefined) seen = `${ready.reason ?? ready.status}: ${ready.message ?? ""}`;
					const current = (ready?.observedGeneration ?? 0) >= Number(found?.metadata.generation ?? 0);
					return (ready?.status === "True" && current) || undefined;
				},
			);
		},
	};
}

function readyOf(ironic: KubeObject | undefined): Condition | undefined {
	const { conditions = [] } = (ironic?.status ?? {}) as { readonly conditions?: readonly Condition[] };
	return conditions.find(({ type }) => type === "Ready");
}
