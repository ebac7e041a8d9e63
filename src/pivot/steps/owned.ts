import { type KubeObject, refOf, refText } from "../../kube/objects.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { StepTools } from "../../steps/step.ts";
import { missingFaults, readBackFaults } from "../compare.ts";
import { RUN_LABEL } from "../target-host.ts";
import type { PivotContext } from "./context.ts";

/** The object as the target has it; `undefined` if there is none. One that is not of this hand-over is an error. */
export async function findOwned(
	{ kube, plan }: Pick<PivotContext, "kube" | "plan">,
	object: KubeObject,
): Promise<KubeObject | undefined> {
	const ref = refOf(object);
	const found = await kube.get(ref);
	if (found === undefined || found.metadata.labels?.[RUN_LABEL] === plan.run) return found;
	throw new IronstrapError({
		code: "pivot-target-taken",
		message: "the cluster has an object of this name already",
		subject: refText(ref),
		seen: `its label ${RUN_LABEL} is ${found.metadata.labels?.[RUN_LABEL] ?? "not set"}, not ${plan.run}`,
		fix: "see whose it is; it is left as it is",
	});
}

/** Writes what nobody else has: an object that appeared meanwhile is an error, a field that somebody owns a conflict. */
export async function applyOwned(
	context: Pick<PivotContext, "kube" | "plan">,
	object: KubeObject,
): Promise<void> {
	await findOwned(context, object);
	await context.kube.apply(object);
}

/** Fields that are ours, and not those that a server fills in. */
const CONTENT = ["spec", "data", "type"] as const;

/**
 * Where the target's object differs from the written one; labels and annotations of others are theirs. A host must have
 * nothing besides, because BMO acts on every field of it.
 */
export function contentFaults(written: KubeObject, found: KubeObject): readonly string[] {
	const annotations = written.metadata.annotations ?? {};
	const compare = written.kind === "BareMetalHost" ? readBackFaults : missingFaults;
	return [
		...CONTENT.flatMap((field) =>
			written[field] === undefined ? [] : compare(written[field], found[field], field),
		),
		...Object.keys(annotations).flatMap((key) =>
			readBackFaults(annotations[key], found.metadata.annotations?.[key], `metadata.annotations[${key}]`),
		),
	];
}

/** Values of Secrets are never told. */
export function readBackError(object: KubeObject, faults: readonly string[]): IronstrapError {
	const isSecret = object.kind === "Secret";
	return new IronstrapError({
		code: "pivot-read-back",
		message: "the cluster does not have what was written",
		subject: refText(refOf(object)),
		seen: isSecret ? `its data differ in ${faults.length} places` : faults.join("; "),
		fix: "see who changes it (`kubectl get -o yaml --show-managed-fields`); `ironstrap pivot resume` then goes on",
	});
}

/** Takes an object of this hand-over away and waits until it is gone. Somebody else's of that name stays. */
export async function removeOwned(
	{ kube, plan, times }: Pick<PivotContext, "kube" | "plan" | "times">,
	object: KubeObject,
	{ waitFor }: StepTools,
): Promise<void> {
	const ref = refOf(object);
	const found = await kube.get(ref);
	if (found === undefined || found.metadata.labels?.[RUN_LABEL] !== plan.run) return;
	const uid = found.metadata.uid ?? "";
	await kube.remove(ref, uid);
	let held: readonly string[] = [];
	await waitFor(
		{
			what: `${refText(ref)} to be gone`,
			why: () => (held.length === 0 ? "" : `held by its finalizers ${held.join(", ")}`),
			deadlineMs: times.host,
			fix: "see whether the operator runs that must let go of it, then run the command again",
		},
		async (signal) => {
			const left = await kube.get(ref, { signal });
			held = left?.metadata.finalizers ?? [];
			return left === undefined || left.metadata.uid !== uid || undefined;
		},
	);
}
