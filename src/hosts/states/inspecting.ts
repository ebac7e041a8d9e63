import type { HostAction } from "../action.ts";
import { inspectionDisabled } from "../annotations.ts";
import { attempt, begin, INSPECT, MANAGE, type Plan, record } from "../plan.ts";
import { unknownContent } from "./unknown-content.ts";

/** The server boots the ramdisk, which reports the hardware. A node that is `active` is never inspected. */
export function inspecting(plan: Plan): HostAction {
	const { hardwareKnown, host, inventoried, node } = plan;
	if (node.provision_state !== "manageable" && node.provision_state !== "available")
		return unknownContent(plan);
	if (host.spec.externallyProvisioned === true) return record("externally provisioned");
	if (hardwareKnown || inventoried || inspectionDisabled(host)) return record("preparing");
	return node.provision_state === "available"
		? begin(plan, MANAGE)
		: attempt(plan, "inspect", "inspection error", INSPECT);
}
