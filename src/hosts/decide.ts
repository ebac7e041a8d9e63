import type { IronicNode } from "../ironic/node.ts";
import type { ErrorType, ProvisioningState } from "../resources/bare-metal-host-status.ts";
import type { HostAction, Observation, Operation, RefusalCode, RunMemory } from "./action.ts";
import { hasImage, sameImage } from "./instance.ts";
import { inspectionDisabled, isDeployed, isUnsupported, normalState } from "./rules.ts";

/**
 * The next thing to do for a host, as BMO would do it. Pure, and complete: every combination of stored state and
 * node state has an answer, so that a new process continues wherever the last one was killed.
 */
export function decide(seen: Observation, memory: RunMemory): HostAction {
	const { host, node, port } = seen;
	if (LEAVING.includes(seen.state)) return refuse("host-foreign-state");
	if (isUnsupported(host)) return refuse("host-unsupported");
	if (port === "foreign") return refuse("host-port-taken");
	if (node === undefined) return { kind: "enrol" };
	if (port === "missing" && !BUSY.includes(node.provision_state)) return { kind: "create-port" };
	const state = normalState(seen.state);
	const plan = { ...seen, node, state, memory };
	switch (node.provision_state) {
		case "enroll":
			if (node.target_provision_state === "manageable" && !node.last_error) return wait("register");
			return attempt(plan, "register", "registration error", {
				kind: "change",
				target: "manage",
				operation: "register",
			});
		case "verifying":
			return wait("register");
		case "manageable":
			return whenManageable(plan);
		case "inspecting":
			return wait("inspect");
		case "inspect wait":
			return waitForRamdisk(plan, "inspect", "abort");
		case "inspect failed":
			if (isDeployed(state)) return refuse("host-foreign-state");
			// switched off since: nothing to be inspected any more
			if (inspectionDisabled(host)) return begin(plan, { kind: "change", target: "manage" });
			return attempt(plan, "inspect", "inspection error", INSPECT);
		case "available":
			return whenAvailable(plan);
		case "cleaning":
		case "clean hold":
			return wait("prepare");
		case "clean wait":
			return waitForRamdisk(plan, "prepare", "abort");
		case "clean failed":
			if (isDeployed(state)) return refuse("host-undeployed");
			return attempt(plan, "prepare", "preparation error", { kind: "change", target: "manage" });
		case "deploying":
		case "deploy hold":
			return wait("provision");
		case "wait call-back":
			return state === "provisioning" ? waitForRamdisk(plan, "provision", "deleted") : wait("provision");
		case "deploy failed":
			return whenDeployFailed(plan);
		case "active":
			return whenActive(plan);
		case "deleting":
			return wait("deprovision");
		case "adopting":
			return wait("adopt");
		case "adopt failed":
			return attempt(plan, "adopt", "provisioned registration error", ADOPT);
		default:
			return refuse("host-foreign-state");
	}
}

interface Plan extends Observation {
	readonly node: IronicNode;
	readonly memory: RunMemory;
}

const INSPECT: HostAction = { kind: "change", target: "inspect", operation: "inspect" };
const PROVIDE: HostAction = { kind: "change", target: "provide", operation: "prepare" };
const ADOPT: HostAction = { kind: "change", target: "adopt", operation: "adopt" };

/** States on the way out, which no manifest leads to. */
const LEAVING: readonly ProvisioningState[] = ["deprovisioning", "powering off before delete", "deleting"];

/** Ironic holds the node's lock for long in these. */
const BUSY: readonly string[] = ["verifying", "inspecting", "cleaning", "deploying", "deleting", "adopting"];

function whenManageable(plan: Plan): HostAction {
	const { host, state, memory } = plan;
	if (state === "provisioned") return attempt(plan, "adopt", "provisioned registration error", ADOPT);
	if (state === "externally provisioned") return whenExternal(plan);
	if (host.spec.externallyProvisioned === true) return record("externally provisioned");
	switch (state) {
		case "registering":
			return record(inspectionDisabled(host) ? "preparing" : "inspecting");
		case "inspecting":
			if (plan.hardwareKnown || plan.inventoried || inspectionDisabled(host)) return record("preparing");
			return attempt(plan, "inspect", "inspection error", INSPECT);
		default:
			if (memory.started.has("prepare")) return fail("preparation error", "prepare");
			return begin(plan, PROVIDE);
	}
}

function whenAvailable(plan: Plan): HostAction {
	const { host, state } = plan;
	if (state === "provisioned") return refuse("host-undeployed");
	if (state === "externally provisioned") return whenExternal(plan);
	if (host.spec.externallyProvisioned === true) return record("externally provisioned");
	switch (state) {
		case "registering":
			return record(inspectionDisabled(host) ? "preparing" : "inspecting");
		case "inspecting":
			if (plan.hardwareKnown || plan.inventoried || inspectionDisabled(host)) return record("preparing");
			return begin(plan, { kind: "change", target: "manage" });
		case "preparing":
			return record("available");
		case "provisioning":
			if (!hasImage(host)) return record("available");
			return attempt(plan, "provision", "provisioning error", { kind: "deploy" });
		default:
			if (hasImage(host) && host.spec.online) return record("provisioning");
			return plan.stale ? record(state) : { kind: "settled" };
	}
}

function whenDeployFailed(plan: Plan): HostAction {
	const { host, state } = plan;
	if (isDeployed(state)) return refuse("host-foreign-state");
	if (!hasImage(host)) return refuse("host-undeployed");
	if (state !== "provisioning") return record("provisioning");
	return attempt(plan, "provision", "provisioning error", { kind: "deploy" });
}

function whenActive(plan: Plan): HostAction {
	const { host, state, node } = plan;
	if (state === "externally provisioned") return whenExternal(plan);
	if (host.spec.externallyProvisioned === true && state !== "provisioned")
		return record("externally provisioned");
	// Compared with what is stored, as BMO does: a node that was adopted does not know its image.
	if (state === "provisioned")
		return hasImage(host) && host.spec.image?.url === plan.deployedImage
			? whenDeployed(plan)
			: refuse("host-image-changed");
	if (state === "provisioning" || (hasImage(host) && sameImage(host, node))) return record("provisioned");
	return refuse("host-already-deployed");
}

function whenExternal(plan: Plan): HostAction {
	return plan.host.spec.externallyProvisioned === true ? whenDeployed(plan) : refuse("host-already-deployed");
}

/** A running server: nothing but its power is looked after. */
function whenDeployed(plan: Plan): HostAction {
	const { host, node, memory } = plan;
	if (node.target_power_state !== null) return wait("power");
	const differs = node.power_state === (host.spec.online ? "power off" : "power on");
	if (differs && (host.spec.online || host.spec.disablePowerOff !== true)) {
		if (memory.started.has("power")) return fail("power management error", "power");
		return begin(plan, { kind: "power", target: host.spec.online ? "power on" : "soft power off" });
	}
	return plan.stale ? record(plan.state) : { kind: "settled" };
}

/**
 * A ramdisk that an earlier run gave up waiting for does not come by itself: the server would have to boot once more.
 * So the operation is ended, once, and begins anew.
 */
function waitForRamdisk(plan: Plan, operation: Operation, end: "abort" | "deleted"): HostAction {
	const { started } = plan.memory;
	if (isDeployed(plan.state) || !plan.gaveUp || started.has("abort") || started.has(operation))
		return wait(operation);
	return outOfMaintenance(plan, { kind: "change", target: end, operation: "abort" });
}

/** Starts an operation, or tells that it failed when this process has started it already. */
function attempt(plan: Plan, operation: Operation, errorType: ErrorType, action: HostAction): HostAction {
	return plan.memory.started.has(operation) ? fail(errorType, operation) : begin(plan, action);
}

/** Before anything is started the node gets the manifest's values, and leaves a maintenance that a fault caused. */
function begin(plan: Plan, action: HostAction): HostAction {
	return !plan.memory.configured && !isFrozen(plan) ? { kind: "configure" } : outOfMaintenance(plan, action);
}

function outOfMaintenance(plan: Plan, action: HostAction): HostAction {
	if (isFrozen(plan)) return refuse("host-frozen");
	if (!plan.node.maintenance) return action;
	return plan.memory.started.has("recover")
		? fail("power management error", "recover")
		: { kind: "clear-maintenance" };
}

/** The pivot leaves its run's name as the reason. */
function isFrozen({ node }: Plan): boolean {
	return node.maintenance && node.maintenance_reason?.includes("ironstrap.io/") === true;
}

function wait(operation: Operation): HostAction {
	return { kind: "wait", operation };
}

function record(state: ProvisioningState): HostAction {
	return { kind: "record", state };
}

function fail(errorType: ErrorType, operation: Operation): HostAction {
	return { kind: "fail", errorType, operation };
}

function refuse(code: RefusalCode): HostAction {
	return { kind: "refuse", code };
}
