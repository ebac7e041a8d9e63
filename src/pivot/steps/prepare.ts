import { type KubeObject, refOf, refText } from "../../kube/objects.ts";
import { IronstrapErrors } from "../../lib/errors.ts";
import { tried } from "../checks/tried.ts";
import type { PlannedHost } from "../plan.ts";
import { objectsOf, tryAll } from "../target-facts.ts";
import type { PivotStep } from "./context.ts";
import { applyOwned, contentFaults, findOwned, readBackError, removeOwned } from "./owned.ts";

/** P3: a namespace; it stays when everything else is taken back, because others may have begun to use it. */
export function namespaceStep(name: string): PivotStep {
	const ref = { apiVersion: "v1", kind: "Namespace", name };
	return {
		id: `pivot:namespace:${name}`,
		title: `create namespace ${name}`,
		done: async ({ kube }) => (await kube.get(ref)) !== undefined,
		do: async ({ kube }) =>
			void (await kube.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
	};
}

/** P3: every object once more against the API server, now that all namespaces exist. Nothing is written. */
export const tryStep: PivotStep = {
	id: "pivot:try",
	title: "try every object in the cluster without writing it",
	done: async ({ record }) => (await record.read())?.phase !== "open",
	async do({ kube, plan }, { signal }) {
		const refused = await tryAll(kube, objectsOf(plan), signal);
		if (refused.length > 0) throw new IronstrapErrors(tried(plan, { refused } as never));
	},
};

/** P3: a Secret or ConfigMap; nobody acts on it. */
export function secretStep(object: KubeObject): PivotStep {
	return ownedStep(object, "secret");
}

/** P3: what inspection found; nobody acts on it. Its owner is set once the host exists. */
export function hardwareDataStep(object: KubeObject): PivotStep {
	return ownedStep(object, "hardware");
}

/** P5: the HardwareData goes with its host, as one that BMO made would. */
export function ownerStep(host: PlannedHost, data: KubeObject): PivotStep {
	return {
		id: `pivot:owner:${host.namespace}~${host.name}`,
		title: `make BareMetalHost ${host.namespace}/${host.name} the owner of its HardwareData`,
		async done(context) {
			const [found, owner] = await Promise.all([
				findOwned(context, data),
				context.kube.get(refOf(host.object)),
			]);
			const owners = (found?.metadata.ownerReferences ?? []) as readonly { readonly uid: string }[];
			return owner !== undefined && owners.some(({ uid }) => uid === owner.metadata.uid);
		},
		async do(context) {
			const owner = await findOwned(context, host.object);
			if (owner === undefined) throw readBackError(host.object, ["it is gone"]);
			const { apiVersion, kind } = host.object;
			const reference = { apiVersion, kind, name: host.name, uid: owner.metadata.uid, controller: true };
			const metadata = { ...data.metadata, ownerReferences: [reference] };
			await applyOwned(context, { ...data, metadata });
		},
	};
}

function ownedStep(object: KubeObject, word: string): PivotStep {
	const { name, namespace } = object.metadata;
	const isThere = async (context: Parameters<PivotStep["do"]>[0]) => {
		const found = await findOwned(context, object);
		return found !== undefined && contentFaults(object, found).length === 0;
	};
	return {
		id: `pivot:${word}:${namespace}~${name}`,
		title: `write ${refText(refOf(object))}`,
		done: isThere,
		do: (context) => applyOwned(context, object),
		async verify(context) {
			const found = await findOwned(context, object);
			const faults = found === undefined ? ["it is gone"] : contentFaults(object, found);
			if (faults.length > 0) throw readBackError(object, faults);
		},
		undo: (context, tools) => removeOwned(context, object, tools),
	};
}
