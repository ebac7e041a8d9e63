import type { HostAction, Operation } from "./action.ts";
import { inspectionDisabled } from "./annotations.ts";
import { carriesOther } from "./instance.ts";
import {
	ADOPT,
	attempt,
	begin,
	INSPECT,
	MANAGE,
	outOfMaintenance,
	type Plan,
	record,
	refuse,
	UNDEPLOY,
	wait,
} from "./plan.ts";
import { isDeployed } from "./rules.ts";

/**
 * What Ironic is in the middle of, or failed in, is answered nearly alike in every stored state. `undefined` for a node
 * at rest (manageable, available, active, deploy failed, error), where the stored state decides.
 */
export function underWay(plan: Plan): HostAction | undefined {
	const { host, node, state } = plan;
	// cleaning belongs to what comes before it
	const clean: Operation = state === "deprovisioning" ? "deprovision" : "prepare";
	switch (node.provision_state) {
		case "enroll":
			if (node.target_provision_state === "manageable" && !node.last_error) return wait("register");
			return attempt(plan, "register", "registration error", {
				...MANAGE,
				operation: "register",
			} as HostAction);
		case "verifying":
			return wait("register");
		case "inspecting":
			return wait("inspect");
		case "inspect wait":
			return waitForRamdisk(plan, "inspect", "abort");
		case "inspect failed":
			if (isDeployed(state)) return refuse("host-foreign-state");
			// switched off since: nothing to be inspected any more
			if (inspectionDisabled(host)) return begin(plan, MANAGE);
			return attempt(plan, "inspect", "inspection error", INSPECT);
		case "cleaning":
		case "clean hold":
			return wait(clean);
		case "clean wait":
			return waitForRamdisk(plan, clean, "abort");
		case "clean failed":
			if (isDeployed(state)) return refuse("host-undeployed");
			return attempt(plan, "prepare", "preparation error", MANAGE);
		case "deploying":
		case "deploy hold":
			return wait("provision");
		case "wait call-back":
			return whileDeploying(plan);
		case "deleting":
			return wait("deprovision");
		case "adopting":
			return wait("adopt");
		case "adopt failed":
			return attempt(plan, "adopt", "provisioned registration error", ADOPT);
		case "manageable":
		case "available":
		case "active":
		case "deploy failed":
		case "error":
			return undefined;
		default:
			return refuse("host-foreign-state");
	}
}

function whileDeploying(plan: Plan): HostAction {
	const { host, node, state } = plan;
	if (state === "deprovisioning") return attempt(plan, "deprovision", "provisioning error", UNDEPLOY);
	if (state !== "provisioning") return wait("provision");
	// BMO's "cancelled": what is being written is not wanted any more
	return carriesOther(host, node) ? record("deprovisioning") : waitForRamdisk(plan, "provision", "deleted");
}

/**
 * A ramdisk that an earlier run gave up waiting for does not come by itself: the server would have to boot once more.
 * So the operation is ended, once, and begins anew.
 */
function waitForRamdisk(plan: Plan, operation: Operation, end: "abort" | "deleted"): HostAction {
	const { started } = plan.memory;
	const ours = started.has(operation) || (operation === "deprovision" && started.has("prepare"));
	if (isDeployed(plan.state) || !plan.gaveUp || started.has("abort") || ours) return wait(operation);
	return outOfMaintenance(plan, { kind: "change", target: end, operation: "abort" });
}
