import type { HostAction } from "../action.ts";
import { isToBeDeployed } from "../instance.ts";
import { begin, MANAGE, type Plan, record, refuse } from "../plan.ts";
import { steady } from "../power.ts";

/**
 * A server that somebody else has set up. With the flag taken away it becomes a `provisioned` one with the declared
 * image, as it is, untouched (BMO 0.14); without an image BMO would wipe it, which here takes a command.
 */
export function externallyProvisioned(plan: Plan): HostAction {
	const { host } = plan;
	if (host.spec.externallyProvisioned === true) return steady(plan);
	if (!isToBeDeployed(host)) return refuse("host-already-deployed");
	// where adoption begins
	return plan.node.provision_state === "available" ? begin(plan, MANAGE) : record("provisioned");
}
