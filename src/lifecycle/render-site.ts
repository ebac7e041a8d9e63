import { readAsset } from "../assets/assets.ts";
import { type DesiredProject, desiredProject } from "../converge/desired.ts";
import type { Site } from "../resources/site.ts";
import type { Stack } from "../stack/inputs.ts";
import { renderStack } from "../stack/render.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";
import { freeBridgeSubnet } from "./bridge-subnet.ts";
import { ensureCredentials } from "./credentials.ts";
import { unnamedMacs } from "./known-servers.ts";
import type { Machine } from "./machine.ts";
import type { Session } from "./session.ts";

/** What was decided once and must not change by itself later. */
interface Pins {
	readonly formatVersion: 1;
	readonly bridgeSubnet: string;
}

export interface RenderedSite {
	readonly stack: Stack;
	readonly desired: DesiredProject;
	readonly bridgeSubnet: string;
}

/** The stack of a site on this machine. Makes and stores the credentials and choices that it lacks, nothing else. */
export async function renderSite(
	site: Site,
	machine: Machine,
	{ hosts, name, paths, secrets }: Session,
): Promise<RenderedSite> {
	const { provisioning, local } = machine;
	const addresses = [provisioning.address, ...site.bootstrap.spec.api.listen];
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
	});
	return { stack, desired: desiredProject(stack, Buffer.from(`${name}:${hashKey}`)), bridgeSubnet };
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
	const pins = file === undefined ? undefined : await readVersioned<Pins>(file, 1);
	if (pins !== undefined) return pins.bridgeSubnet;
	const { dhcp } = site.ironic.spec.networking;
	const used = [
		...local.map(({ cidr }) => cidr),
		...(dhcp?.networkCIDR === undefined ? [] : [dhcp.networkCIDR]),
	];
	const bridgeSubnet = freeBridgeSubnet(used);
	if (file !== undefined) await writeVersioned(file, { formatVersion: 1, bridgeSubnet } as Pins);
	return bridgeSubnet;
}
