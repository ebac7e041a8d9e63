import type { HostAction } from "../action.ts";
import { isDetached } from "../annotations.ts";
import { isToBeDeployed, methodOf } from "../instance.ts";
import { attempt, type Plan, PROVIDE, record, UNDEPLOY } from "../plan.ts";

/**
 * What is on the server is taken away; cleaning belongs to it. While Ironic has not begun, the wish may be taken back:
 * the image that is deployed is declared again, or the host is to be left alone.
 */
export function deprovisioning(plan: Plan): HostAction {
	switch (plan.node.provision_state) {
		case "available":
			return record("available");
		case "manageable":
			return attempt(plan, "prepare", "preparation error", PROVIDE);
		case "active":
			if (plan.memory.request.kind !== "give-up" && isWantedAgain(plan)) return record("provisioned");
			return attempt(plan, "deprovision", "provisioning error", UNDEPLOY);
		default:
			return attempt(plan, "deprovision", "provisioning error", UNDEPLOY);
	}
}

function isWantedAgain({ deployedImage, deployedMethod, host }: Plan): boolean {
	if (host.spec.externallyProvisioned === true || isDetached(host)) return true;
	if (!isToBeDeployed(host) || methodOf(host.spec) !== deployedMethod) return false;
	return (host.spec.image?.url ?? "") === (deployedImage ?? "");
}
