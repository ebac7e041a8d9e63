import type { KubeObject } from "../../kube/objects.ts";
import type { PivotPlan } from "../plan.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

interface NodeBody {
	readonly spec?: {
		readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
		readonly unschedulable?: boolean;
	};
	readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * A node for the Ironic's pod. The operator's resource has no tolerations, so that a cluster of tainted control-plane
 * nodes alone (the very one that was just built) has none until a taint is taken away.
 */
export const placement: TargetCheck = (plan, { nodes }) => {
	if (plan.ironic === undefined) return [];
	const candidates = nodes.filter((node) => isReady(node) && matches(node, selectorOf(plan)));
	if (candidates.some((node) => blocking(node).length === 0)) return [];
	const [first] = candidates;
	const fix =
		first === undefined
			? "make a node ready, or correct nodeSelector in Bootstrap.spec.target.ironic"
			: commandsFor(first).join(" && ");
	const seen = nodes.map((node) => `${node.metadata.name}: ${stateOf(node, plan)}`).join("; ");
	return [
		targetFault("pivot-placement", "no node of the cluster would run the Ironic", seen || "no nodes", fix),
	];
};

function selectorOf({ ironic }: PivotPlan): Readonly<Record<string, string>> {
	return (ironic?.spec as { nodeSelector?: Record<string, string> } | undefined)?.nodeSelector ?? {};
}

function isReady({ status }: KubeObject & NodeBody): boolean {
	return status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;
}

function matches({ metadata }: KubeObject, selector: Readonly<Record<string, string>>): boolean {
	return Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value);
}

function blocking({ spec }: KubeObject & NodeBody): readonly { key: string; effect: string }[] {
	const taints = (spec?.taints ?? []).filter(
		({ effect }) => effect === "NoSchedule" || effect === "NoExecute",
	);
	return spec?.unschedulable === true
		? [...taints, { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]
		: taints;
}

function commandsFor(node: KubeObject & NodeBody): readonly string[] {
	const { name } = node.metadata;
	const cordoned = node.spec?.unschedulable === true ? [`kubectl uncordon ${name}`] : [];
	const taints = blocking(node)
		.filter(({ key }) => key !== "node.kubernetes.io/unschedulable")
		.map(({ key, effect }) => `kubectl taint nodes ${name} ${key}:${effect}-`);
	return [...cordoned, ...taints];
}

function stateOf(node: KubeObject & NodeBody, plan: PivotPlan): string {
	if (!isReady(node)) return "not ready";
	if (!matches(node, selectorOf(plan))) return "not selected by nodeSelector";
	return `tainted ${blocking(node)
		.map(({ key, effect }) => `${key}:${effect}`)
		.join(", ")}`;
}
