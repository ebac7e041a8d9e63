import type { HostAction, Observation, Operation, RunMemory } from "../action.ts";
import {
	ADOPT,
	attempt,
	fail,
	isFrozen,
	outOfMaintenance,
	type Plan,
	record,
	refuse,
	UNDEPLOY,
	wait,
} from "../plan.ts";

/**
 * BMO's deletion: what we have deployed is undeployed; a server that was more than registered is switched off, unless
 * that is forbidden; then Ironic and we forget it.
 */
export function removed(seen: Observation, memory: RunMemory): HostAction {
	const { node, state } = seen;
	if (node === undefined) return { kind: "delete" };
	if (isFrozen(node)) return refuse("host-frozen");
	const plan = { ...seen, node, memory };
	const operation = RUNNING[node.provision_state];
	if (operation !== undefined) return wait(operation);
	switch (state) {
		case "provisioned":
			if (node.provision_state === "manageable")
				return attempt(plan, "adopt", "provisioned registration error", ADOPT);
			return record("deprovisioning");
		case "provisioning":
			return record("deprovisioning");
		case "deprovisioning":
			return undeployed(plan);
		case "powering off before delete":
			return poweredOff(plan);
		case "registering":
			return record("deleting");
		case "deleting":
			return ended(plan) ?? { kind: "delete" };
		default:
			return ended(plan) ?? record("powering off before delete");
	}
}

/** What Ironic cannot be stopped in. */
const RUNNING: Readonly<Record<string, Operation>> = {
	verifying: "register",
	inspecting: "inspect",
	cleaning: "prepare",
	deploying: "provision",
	deleting: "deprovision",
	adopting: "adopt",
};

/** Cleaning belongs to it; where it has failed before, the host goes uncleaned. */
function undeployed(plan: Plan): HostAction {
	const { gaveUp, memory, node } = plan;
	const ours = memory.started.has("deprovision");
	switch (node.provision_state) {
		case "active":
		case "deploy failed":
		case "error":
		case "wait call-back":
		case "deploy hold":
			return attempt(plan, "deprovision", "provisioning error", UNDEPLOY);
		case "clean wait":
			return gaveUp && !ours ? (ended(plan) ?? wait("deprovision")) : wait("deprovision");
		case "clean failed":
			return gaveUp && !ours
				? record("powering off before delete")
				: fail("provisioning error", "deprovision");
		default:
			return ended(plan) ?? record("powering off before delete");
	}
}

/** A ramdisk that is waited for is not any more. */
function ended({ memory, node }: Plan): HostAction | undefined {
	if (node.provision_state !== "inspect wait" && node.provision_state !== "clean wait") return undefined;
	return memory.started.has("abort")
		? wait("abort")
		: { kind: "change", target: "abort", operation: "abort" };
}

function poweredOff(plan: Plan): HostAction {
	const { host, memory, node } = plan;
	if (node.target_power_state !== null || (node.reservation !== null && memory.powered.size > 0))
		return wait("power");
	const staysOn = host.spec.disablePowerOff === true || node.disable_power_off === true;
	if (staysOn || node.power_state !== "power on") return record("deleting");
	if (memory.powered.has("power off")) return fail("power management error", "power");
	return outOfMaintenance(plan, { kind: "power", target: "power off" });
}
