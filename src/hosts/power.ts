import type { HostAction } from "./action.ts";
import { type Reboot, rebootAsked } from "./annotations.ts";
import { begin, fail, isFrozen, outOfMaintenance, type Plan, record, SETTLED, wait } from "./plan.ts";
import { isDeployed } from "./rules.ts";

/**
 * A host where it is to be: nothing but its power is looked after, and its status kept true. Reboots are for servers
 * that run something; a server without an operating system is switched off hard, since nothing would listen.
 * BMO: `manageHostPower` in baremetalhost_controller.go.
 */
export function steady(plan: Plan): HostAction {
	return power(plan) ?? (plan.stale ? record(plan.state) : SETTLED);
}

function power(plan: Plan): HostAction | undefined {
	const { host, memory, node, state } = plan;
	const busy = node.reservation !== null && memory.powered.size > 0;
	if (node.target_power_state !== null || busy) return wait("power");
	if (node.maintenance && !isFrozen(node)) return outOfMaintenance(plan, SETTLED);
	const reboot = isDeployed(state) ? rebootOf(plan) : undefined;
	if (host.spec.disablePowerOff === true) return withoutPowerOff(plan, reboot);
	if (reboot !== undefined || !online(plan)) {
		if (node.power_state === "power on") return switchOff(plan, isDeployed(state) ? reboot?.mode : "hard");
		return reboot?.once === true && node.power_state === "power off" ? record(state, "reboot") : undefined;
	}
	return switchOn(plan);
}

function online({ host, memory }: Plan): boolean {
	return memory.request.kind === "power" ? memory.request.on : host.spec.online;
}

/** A command's wish goes before the annotations'. */
function rebootOf({ answered, host, memory }: Plan): Reboot | undefined {
	return memory.request.kind === "reboot"
		? { mode: memory.request.mode, once: true }
		: rebootAsked(host, answered);
}

/** Ironic may reset such a server, in one go, but never leave it off. */
function withoutPowerOff(plan: Plan, reboot: Reboot | undefined): HostAction | undefined {
	if (reboot?.once !== true || plan.node.power_state !== "power on") return switchOn(plan);
	if (plan.memory.powered.has("rebooting")) return record(plan.state, "reboot");
	return begin(plan, { kind: "power", target: "rebooting" });
}

function switchOn(plan: Plan): HostAction | undefined {
	if (!online(plan) || plan.node.power_state !== "power off") return undefined;
	if (plan.memory.powered.has("power on")) return fail("power management error", "power");
	return begin(plan, { kind: "power", target: "power on" });
}

/** Politely first; what does not follow, or cannot, is cut off. */
function switchOff(plan: Plan, mode: Reboot["mode"] = "soft"): HostAction {
	const { powered } = plan.memory;
	if (powered.has("power off")) return fail("power management error", "power");
	const soft = mode === "soft" && !powered.has("soft power off");
	return begin(plan, { kind: "power", target: soft ? "soft power off" : "power off" });
}
