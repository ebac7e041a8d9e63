import type { IronicNode } from "../ironic/node.ts";
import type { ErrorType, ProvisioningState } from "../resources/bare-metal-host-status.ts";
import type { HostAction, Observation, Operation, RefusalCode, RunMemory } from "./action.ts";
import type { OneShot } from "./annotations.ts";

/** What a state's decision is made from: the host has a node and its port. */
export interface Plan extends Observation {
	readonly node: IronicNode;
	readonly memory: RunMemory;
}

export const SETTLED: HostAction = { kind: "settled" };
export const INSPECT: HostAction = { kind: "change", target: "inspect", operation: "inspect" };
export const PROVIDE: HostAction = { kind: "change", target: "provide", operation: "prepare" };
export const ADOPT: HostAction = { kind: "change", target: "adopt", operation: "adopt" };
export const UNDEPLOY: HostAction = { kind: "change", target: "deleted", operation: "deprovision" };
export const MANAGE: HostAction = { kind: "change", target: "manage" };

/** Starts an operation, or tells that it failed when this process has started it already. */
export function attempt(
	plan: Plan,
	operation: Operation,
	errorType: ErrorType,
	action: HostAction,
): HostAction {
	return plan.memory.started.has(operation) ? fail(errorType, operation) : begin(plan, action);
}

/** Before anything is started the node gets the manifest's values, and leaves a maintenance that a fault caused. */
export function begin(plan: Plan, action: HostAction): HostAction {
	return needsValues(plan) ? { kind: "configure" } : outOfMaintenance(plan, action);
}

/** The node was not given the manifest's values by this process, and takes them now. */
export function needsValues({ memory, node }: Plan): boolean {
	return !memory.configured && !isFrozen(node) && !CLOSED.includes(node.provision_state);
}

/** Ironic holds the node's lock for long in these. */
export const BUSY: readonly string[] = [
	"verifying",
	"inspecting",
	"cleaning",
	"deploying",
	"deleting",
	"adopting",
];

/** In these Ironic refuses any change of the node. */
const CLOSED: readonly string[] = [...BUSY, "clean wait", "clean hold", "wait call-back", "deploy hold"];

export function outOfMaintenance(plan: Plan, action: HostAction): HostAction {
	if (isFrozen(plan.node)) return refuse("host-frozen");
	if (!plan.node.maintenance) return action;
	return plan.memory.started.has("recover")
		? fail("power management error", "recover")
		: { kind: "clear-maintenance" };
}

/** The pivot leaves its run's name as the reason. */
export function isFrozen(node: IronicNode): boolean {
	return node.maintenance && node.maintenance_reason?.includes("ironstrap.io/") === true;
}

export function wait(operation: Operation): HostAction {
	return { kind: "wait", operation };
}

export function record(state: ProvisioningState, answers?: OneShot): HostAction {
	return { kind: "record", state, ...(answers === undefined ? {} : { answers }) };
}

export function fail(errorType: ErrorType, operation: Operation): HostAction {
	return { kind: "fail", errorType, operation };
}

export function refuse(code: RefusalCode): HostAction {
	return { kind: "refuse", code };
}
