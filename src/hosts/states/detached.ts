import type { HostAction, Observation } from "../action.ts";
import { isFrozen, refuse, SETTLED } from "../plan.ts";
import { isDeployed } from "../rules.ts";

/**
 * A host that is to leave Ironic: at once where it is at rest, as BMO; elsewhere (`undefined`) it goes on until it is.
 * Nothing is undeployed or switched off, and without the annotation it is enrolled again, as what it was.
 */
export function detached({ detached, node, state }: Observation): HostAction | undefined {
	if (!isDeployed(state) && state !== "available") return undefined;
	if (node === undefined) return detached ? SETTLED : { kind: "detach" };
	if (isFrozen(node)) return refuse("host-frozen");
	return RESTING.includes(node.provision_state) ? { kind: "detach" } : undefined;
}

const RESTING: readonly string[] = ["active", "available", "manageable", "enroll", "adopt failed"];
