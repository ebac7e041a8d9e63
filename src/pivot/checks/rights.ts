import { resourceOf } from "../../kube/objects.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

/** Rights that would be missed half-way. */
export const rights: TargetCheck = (_plan, { denied, server }) => {
	if (denied.length === 0) return [];
	const words = denied.map(({ kind, namespace, subresource, verb }) => {
		const { plural } = resourceOf(kind);
		const what = subresource === undefined ? plural : `${plural}/${subresource}`;
		return `${verb} ${what}${namespace === undefined ? "" : ` in ${namespace}`}`;
	});
	return [
		targetFault(
			"pivot-rights-missing",
			`the user of the kubeconfig lacks rights in the cluster at ${server}`,
			words.join(", "),
			"have an administrator apply `ironstrap pivot rbac` and bind it to this user",
		),
	];
};
