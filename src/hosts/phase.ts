import type { ProvisioningState } from "../resources/bare-metal-host-status.ts";
import type { HostAction, Observation } from "./action.ts";

/** How far a step takes a host. */
export type Phase = "register" | "deprovision" | "inspect" | "prepare" | "provision" | "remove";

const RANK: Partial<Record<ProvisioningState, number>> = {
	registering: 1,
	inspecting: 2,
	"match profile": 3,
	preparing: 3,
	deprovisioning: 4,
	ready: 4,
	available: 4,
	provisioning: 5,
	provisioned: 6,
	"externally provisioned": 6,
};

/** The rank from which a phase is over. */
const OVER: Readonly<Record<"register" | "inspect" | "prepare", number>> = {
	register: 2,
	inspect: 3,
	prepare: 4,
};

/**
 * True when the host has left the phase behind. A node that is missing, half-made or not verified, and an error that
 * stops the host where it is, belong to the first step that meets them.
 */
export function reached(phase: Phase, { state, node, port }: Observation, next: HostAction): boolean {
	if (next.kind === "settled") return true;
	if (next.kind === "refuse" || node === undefined || port === "missing") return false;
	if (["enroll", "verifying", "adopting", "adopt failed"].includes(node.provision_state)) return false;
	if (phase === "provision" || phase === "remove") return false;
	const leaves = next.kind === "record" && next.state === "deprovisioning";
	if (phase === "deprovision") return state !== "deprovisioning" && !leaves;
	return (RANK[state] ?? 0) >= OVER[phase];
}
