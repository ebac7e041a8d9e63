import type { HostAction } from "../action.ts";
import { isToBeDeployed, methodOf } from "../instance.ts";
import { ADOPT, attempt, isFrozen, type Plan, record, refuse } from "../plan.ts";
import { steady } from "../power.ts";

/** A server that runs what we have put on it. */
export function provisioned(plan: Plan): HostAction {
	const { host, node } = plan;
	if (host.spec.externallyProvisioned === true) return record("externally provisioned");
	switch (node.provision_state) {
		case "active":
			return steady(plan);
		case "manageable":
			// enrolled again after Ironic lost its database: taken over as it runs
			return attempt(plan, "adopt", "provisioned registration error", ADOPT);
		case "available":
			return refuse("host-undeployed");
		default:
			return refuse("host-foreign-state");
	}
}

/**
 * What is on the server is not wanted any more: another image or custom method, or none, is declared (compared by URL and
 * name with what is stored as deployed, as BMO does), or a command says so.
 * https://github.com/metal3-io/baremetal-operator/blob/main/internal/controller/metal3.io/host_state_machine.go (provisioningCancelled)
 */
export function isGivenUp({ deployedImage, deployedMethod, host, memory, node, state }: Plan): boolean {
	if (!ARRIVED.includes(node.provision_state)) return false;
	if (memory.request.kind === "give-up") return state === "provisioned" || state === "externally provisioned";
	// asked for something else, by name: not the moment for what the manifest gives up
	if (memory.request.kind !== "none") return false;
	if (state !== "provisioned" || host.spec.externallyProvisioned === true) return false;
	const [method, url] = [methodOf(host.spec), host.spec.image?.url];
	if (!isToBeDeployed(host)) return true;
	if (deployedMethod !== "" && deployedMethod !== method) return true;
	return (deployedImage ?? "") !== "" && url !== deployedImage;
}

/**
 * A node that was enrolled again is adopted first, given up or not: from `deprovisioning` on, a node that is not
 * `active` is one whose server has nothing left to lose.
 */
const ARRIVED: readonly string[] = ["active", "available", "deploy failed", "error", "clean failed"];

export function undeploy({ node }: Plan): HostAction {
	return isFrozen(node) ? refuse("host-frozen") : record("deprovisioning");
}
