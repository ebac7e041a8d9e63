import type { IronicNode, IronicPort } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { StoredHost } from "../state/host-store.ts";
import { accessChanged } from "./access.ts";
import type { Observation } from "./action.ts";
import { stillAsked } from "./annotations.ts";
import type { HostContext } from "./context.ts";
import { nodeNameOf } from "./host-name.ts";
import { methodOf } from "./instance.ts";
import { type Nodes, watchOf } from "./watch.ts";

/** An observation with what it was made from. */
export interface Sight extends Observation {
	readonly stored: StoredHost | undefined;
}

/** What a run has seen of a host, so that nothing is asked twice. */
export interface Looks {
	/** The node, if nothing has happened to it since. */
	node: { readonly value: IronicNode | undefined } | undefined;
	/** What is stored: nobody else writes it while the site is held. */
	stored: { readonly value: StoredHost | undefined } | undefined;
	/** When something last happened to it (`performance.now`): only later lists tell the truth. */
	since: number;
	/** The port is the host's own: it never goes away. */
	portSeen: boolean;
}

/** Looks at the stored status and at Ironic. */
export async function observe(
	context: HostContext,
	host: BareMetalHost,
	looks: Looks,
	signal: AbortSignal,
): Promise<Sight> {
	const { ironic, store, watchEveryMs = 0 } = context;
	const watch = watchOf(ironic, watchEveryMs);
	looks.stored ??= { value: await store.read(host.metadata) };
	const stored = looks.stored.value;
	const address = host.spec.bootMACAddress;
	const ports = looks.portSeen || address === undefined ? undefined : await watch.ports(looks.since, signal);
	const owner = ports?.get(address ?? "");
	const node =
		looks.node === undefined
			? findNode(await watch.nodes(looks.since, signal), host, stored, owner)
			: looks.node.value;
	looks.node = { value: node };
	const port = address === undefined ? "unneeded" : looks.portSeen ? "own" : portState(owner, node);
	if (port === "own") looks.portSeen = true;
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
		deployedMethod: methodOf(stored?.status.provisioning ?? {}),
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
		port,
		inventoried:
			!hardwareKnown &&
			node !== undefined &&
			["manageable", "available"].includes(node.provision_state) &&
			Boolean(node.inspection_finished_at) &&
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
function findNode(
	{ byName, byUuid }: Nodes,
	host: BareMetalHost,
	stored: StoredHost | undefined,
	owner: IronicPort | undefined,
): IronicNode | undefined {
	const name = nodeNameOf(host);
	const byId = byUuid.get(stored?.status.provisioning.ID ?? "");
	if (byId !== undefined && (byId.name === name || byId.name === null)) return byId;
	const byPort = byUuid.get(owner?.node_uuid ?? "");
	return byName.get(name) ?? (byPort?.name === null ? byPort : undefined);
}

function portState(owner: IronicPort | undefined, node: IronicNode | undefined): Observation["port"] {
	if (owner === undefined) return "missing";
	return owner.node_uuid === node?.uuid ? "own" : "foreign";
}
