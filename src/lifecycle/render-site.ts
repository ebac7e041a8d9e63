import { readAsset } from "../assets/assets.ts";
import { type DesiredProject, desiredProject } from "../converge/desired.ts";
import type { Site } from "../resources/site.ts";
import type { Stack } from "../stack/inputs.ts";
import { mediaAddresses } from "../stack/media.ts";
import { renderStack } from "../stack/render.ts";
import { freeBridgeSubnet } from "./bridge-subnet.ts";
import { ensureCredentials, type StackCredentials } from "./credentials.ts";
import { unnamedMacs } from "./known-servers.ts";
import type { Machine } from "./machine.ts";
import { readPins, storePins } from "./pins.ts";
import type { Session } from "./session.ts";

export interface RenderedSite {
	readonly stack: Stack;
	readonly desired: DesiredProject;
	readonly bridgeSubnet: string;
	readonly credentials: StackCredentials;
}

/** The stack of a site on this machine. Makes and stores the credentials and choices that it lacks, nothing else. */
export async function renderSite(
	site: Site,
	machine: Machine,
	{ hosts, name, paths, secrets }: Session,
): Promise<RenderedSite> {
	const { provisioning, local } = machine;
	const addresses = [
		provisioning.address,
		...mediaAddresses(provisioning),
		...site.bootstrap.spec.api.listen,
	];
	const credentials = await ensureCredentials(site, secrets, addresses, new Date());
	const { hashKey, tls, ...access } = credentials;
	const bridgeSubnet = await bridgeSubnetOf(site, machine.local, paths.pins);
	const stack = renderStack(site, {
		baseText: readAsset("compose/compose.yaml"),
		runDirectory: paths.runDirectory,
		images: machine.images,
		provisioning,
		localAddresses: local.map(({ address }) => address),
		bridgeSubnet,
		credentials: access,
		tls,
		deployRamdisk: machine.deployRamdisk,
		moreMacs: await unnamedMacs(hosts, paths),
		reservations: (await hosts.list()).flatMap(({ addresses = [] }) => addresses),
	});
	const desired = desiredProject(stack, Buffer.from(`${name}:${hashKey}`));
	return { stack, desired, bridgeSubnet, credentials };
}

/**
 * The subnet of the stack's bridge: what the site says, else what was chosen before, else a free one, which is then
 * remembered in `file` (if one is given).
 */
export async function bridgeSubnetOf(
	site: Site,
	local: Machine["local"],
	file: string | undefined,
): Promise<string> {
	const written = site.bootstrap.spec.bridgeSubnet;
	if (written !== undefined) return written;
	const pinned = file === undefined ? undefined : (await readPins(file)).bridgeSubnet;
	if (pinned !== undefined) return pinned;
	const { dhcp } = site.ironic.spec.networking;
	const used = [
		...local.map(({ cidr }) => cidr),
		...(dhcp?.networkCIDR === undefined ? [] : [dhcp.networkCIDR]),
	];
	const bridgeSubnet = freeBridgeSubnet(used);
	if (file !== undefined) await storePins(file, { bridgeSubnet });
	return bridgeSubnet;
}
