import type { HostAction } from "../action.ts";
import { inspectionDisabled } from "../annotations.ts";
import { type Plan, record } from "../plan.ts";
import { unknownContent } from "./unknown-content.ts";

/** The BMC has answered: the host goes to where its manifest leads. */
export function registering(plan: Plan): HostAction {
	const { host, node } = plan;
	if (node.provision_state !== "manageable" && node.provision_state !== "available")
		return unknownContent(plan);
	if (host.spec.externallyProvisioned === true) return record("externally provisioned");
	return record(inspectionDisabled(host) ? "preparing" : "inspecting");
}
