import type { HostAction } from "../action.ts";
import { spelled } from "../annotations.ts";
import { isToBeDeployed } from "../instance.ts";
import { attempt, type Plan, PROVIDE, record } from "../plan.ts";
import { steady } from "../power.ts";
import { unknownContent } from "./unknown-content.ts";

/** Ready for an operating system. A host that is not yet in Ironic's `available` is cleaned first. */
export function available(plan: Plan): HostAction {
	const { host, node } = plan;
	if (node.provision_state !== "manageable" && node.provision_state !== "available")
		return unknownContent(plan);
	if (host.spec.externallyProvisioned === true) return record("externally provisioned");
	if (node.provision_state === "manageable") return attempt(plan, "prepare", "preparation error", PROVIDE);
	if (wantsInspection(plan)) return record("inspecting", "inspect");
	const deploys = plan.memory.request.kind === "none" && isToBeDeployed(host) && host.spec.online;
	return deploys ? record("provisioning") : steady(plan);
}

function wantsInspection({ answered, host, memory }: Plan): boolean {
	const asked = spelled(host, "inspect");
	return memory.request.kind === "inspect" || (asked !== undefined && !answered.includes(asked));
}
