import type { IronicClient } from "../ironic/client.ts";
import type { IronicNode } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { StoredHost } from "../state/host-store.ts";
import { accessChanged } from "./access.ts";
import type { Observation } from "./action.ts";
import { stillAsked } from "./annotations.ts";
import type { HostContext } from "./context.ts";
import { nodeNameOf } from "./host-name.ts";

/** An observation with what it was made from. */
export interface Sight extends Observation {
	readonly stored: StoredHost | undefined;
}

/** Looks at the stored status and at Ironic. `portSeen` spares the look for the port, which never goes away. */
export async function observe(
	context: HostContext,
	host: BareMetalHost,
	{ portSeen, signal }: { readonly portSeen: boolean; readonly signal: AbortSignal },
): Promise<Sight> {
	const { ironic, store } = context;
	const stored = await store.read(host.metadata);
	const node = await findNode(ironic, host, stored, signal);
	const { state, ID } = stored?.status.provisioning ?? { state: "" as const, ID: "" };
	const answered = stored?.answered ?? [];
	const hardwareKnown = stored?.hardware !== undefined && stored.refreshing !== true;
	return {
		host,
		stored,
		state,
		detached: stored?.status.operationalStatus === "detached",
		hardwareKnown,
		answered,
		deployedImage: stored?.status.provisioning.image?.url,
		gaveUp: stored?.status.errorType !== undefined,
		node,
		outdated: accessChanged(context, host, stored) || (node !== undefined && isUnprotected(host, node)),
		stale:
			node !== undefined &&
			(stored?.status.errorType !== undefined ||
				ID !== node.uuid ||
				stillAsked(host, answered).length !== answered.length ||
				(node.power_state !== null && stored?.status.poweredOn !== (node.power_state === "power on"))),
		port: portSeen ? "own" : await lookForPort(ironic, host, node, signal),
		inventoried:
			!hardwareKnown &&
			node !== undefined &&
			["manageable", "available"].includes(node.provision_state) &&
			(stored?.refreshing !== true || isNewer(node, stored)) &&
			(await ironic.inventory(node.uuid, { signal })) !== undefined,
	};
}

/** Power and cleaning are guarded by Ironic, so a change of the manifest must reach it before it is needed. */
function isUnprotected({ spec }: BareMetalHost, { automated_clean, disable_power_off }: IronicNode): boolean {
	const clean = spec.automatedCleaningMode !== "disabled";
	const stayOn = spec.disablePowerOff === true;
	return (automated_clean ?? clean) !== clean || (disable_power_off ?? stayOn) !== stayOn;
}

/** The inspection that was asked for is over: Ironic's clock is this machine's. */
function isNewer({ inspection_finished_at }: IronicNode, { status }: StoredHost): boolean {
	const start = status.operationHistory?.inspect?.start;
	return (
		Boolean(inspection_finished_at) && Date.parse(inspection_finished_at ?? "") >= Date.parse(start ?? "")
	);
}

/** BMO's order: stored UUID, name, a nameless node with the boot MAC address (Ironic saw the server before us). */
async function findNode(
	ironic: IronicClient,
	host: BareMetalHost,
	stored: StoredHost | undefined,
	signal: AbortSignal,
): Promise<IronicNode | undefined> {
	const name = nodeNameOf(host);
	const uuid = stored?.status.provisioning.ID;
	const byId = uuid ? await ironic.getNode(uuid, { signal }) : undefined;
	if (byId !== undefined && (byId.name === name || byId.name === null)) return byId;
	const byName = await ironic.findNode(name, { signal });
	if (byName !== undefined || host.spec.bootMACAddress === undefined) return byName;
	const [port] = await ironic.listPorts({ address: host.spec.bootMACAddress }, { signal });
	const byPort = port === undefined ? undefined : await ironic.getNode(port.node_uuid, { signal });
	return byPort?.name === null ? byPort : undefined;
}

async function lookForPort(
	ironic: IronicClient,
	host: BareMetalHost,
	node: IronicNode | undefined,
	signal: AbortSignal,
): Promise<Observation["port"]> {
	const address = host.spec.bootMACAddress;
	if (address === undefined) return "unneeded";
	const [port] = await ironic.listPorts({ address }, { signal });
	if (port === undefined) return "missing";
	return port.node_uuid === node?.uuid ? "own" : "foreign";
}
