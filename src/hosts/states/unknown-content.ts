import type { HostAction } from "../action.ts";
import { isToBeDeployed, sameImage } from "../instance.ts";
import { type Plan, record, refuse } from "../plan.ts";

/**
 * The node is deployed, or half so, but what is stored knows nothing of it (a lost status, or somebody else's work).
 * It is ours if it carries the declared image; anything else is given up only by a command.
 */
export function unknownContent(plan: Plan): HostAction {
	const { host, memory, node } = plan;
	if (host.spec.externallyProvisioned === true)
		return node.provision_state === "active"
			? record("externally provisioned")
			: refuse("host-foreign-state");
	if (memory.request.kind === "give-up") return record("deprovisioning");
	switch (node.provision_state) {
		case "active":
			return isToBeDeployed(host) && sameImage(host, node)
				? record("provisioned")
				: refuse("host-already-deployed");
		case "deploy failed":
			return isToBeDeployed(host) ? record("provisioning") : refuse("host-undeployed");
		default:
			return refuse("host-foreign-state");
	}
}
