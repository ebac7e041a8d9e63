import type { ProvisioningState } from "../resources/bare-metal-host-status.ts";
import type { HostAction, Observation, RunMemory } from "./action.ts";
import { isDetached, isPaused } from "./annotations.ts";
import { BUSY, needsValues, type Plan, refuse, SETTLED } from "./plan.ts";
import { isUnsupported, normalState } from "./rules.ts";
import { available } from "./states/available.ts";
import { deprovisioning } from "./states/deprovisioning.ts";
import { detached } from "./states/detached.ts";
import { externallyProvisioned } from "./states/externally-provisioned.ts";
import { inspecting } from "./states/inspecting.ts";
import { preparing } from "./states/preparing.ts";
import { isGivenUp, provisioned, undeploy } from "./states/provisioned.ts";
import { provisioning } from "./states/provisioning.ts";
import { registering } from "./states/registering.ts";
import { removed } from "./states/removed.ts";
import { underWay } from "./under-way.ts";

/**
 * The next thing to do for a host, as BMO would do it, in the order of its reconciliation. Pure, and complete: every
 * combination of stored state and node state has an answer, so that a new process continues wherever the last one was
 * killed.
 */
export function decide(seen: Observation, memory: RunMemory): HostAction {
	const { host, node, port } = seen;
	if (isPaused(host)) return SETTLED;
	const state = normalState(seen.state);
	if (memory.request.kind === "remove") return removed({ ...seen, state }, memory);
	const leaves = isDetached(host) ? detached({ ...seen, state }) : undefined;
	if (leaves !== undefined) return leaves;
	if (isUnsupported(host)) return refuse("host-unsupported");
	if (port === "foreign") return refuse("host-port-taken");
	if (node === undefined) return { kind: "enrol" };
	if (port === "missing" && !BUSY.includes(node.provision_state)) return { kind: "create-port" };
	const plan = { ...seen, node, state, memory };
	if (seen.outdated && needsValues(plan)) return { kind: "configure" };
	if (isGivenUp(plan)) return undeploy(plan);
	return underWay(plan) ?? STATES[state](plan);
}

/** One file a state. Each answers for a node at rest; `underWay` has answered for all others. */
const STATES: Readonly<Record<ProvisioningState, (plan: Plan) => HostAction>> = {
	registering,
	inspecting,
	preparing,
	available,
	provisioning,
	provisioned,
	"externally provisioned": externallyProvisioned,
	deprovisioning,
	// a removal that was begun, of a host that is declared again
	"powering off before delete": deprovisioning,
	deleting: deprovisioning,
	// older names, which normalState has replaced
	"": registering,
	unmanaged: registering,
	"match profile": preparing,
	ready: available,
};
