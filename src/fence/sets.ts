import type { Site } from "../resources/site.ts";
import {
	addressesOf,
	bmcDestinations,
	type Destination,
	imageDestinations,
	type Resolved,
} from "./egress.ts";
import { knownMacs, macNumber } from "./known-macs.ts";
import { type Networks, networksOf } from "./networks.ts";
import type { FenceInputs, FencePlan } from "./plan.ts";
import type { FenceSet } from "./text.ts";

/** Unknown servers are remembered for an hour after their last packet, and when the first one came for a day. */
export const unknownSeconds = 3600;
export const sinceSeconds = 86_400;

const macSet = ["type ether_addr"];
/** The client's hardware address of a DHCPv4 packet: 28 bytes into what follows the 8 bytes of the UDP header. */
export const clientAddress = "@th,288,48";
const remembered = (seconds: number) => ["size 1024", "flags dynamic,timeout", `timeout ${seconds / 60}m`];
const unknown = remembered(unknownSeconds);
const since = remembered(sinceSeconds);

/** Options of a DHCPv4 packet begin 248 bytes behind the start of its UDP header (RFC 2131), with the message type. */
const optionsAt = 251;

/** Option 93 with its length of two and the high byte of its value, and the low byte: at the n-th byte of the options. */
export function firmwareAt(byte: number): { readonly head: string; readonly architecture: string } {
	const bit = (optionsAt + byte) * 8;
	return { head: `@th,${bit},24 0x5d0200`, architecture: `@th,${bit + 24},8` };
}

/** All sets of a fence. What changes when hosts come and go is in here and nowhere else. */
export function fenceSets(site: Site, inputs: FenceInputs, plan: FencePlan): readonly FenceSet[] {
	const { macs } = knownMacs(site, inputs.learntMacs);
	return [
		...networkSets("servers", "networks that servers come from by the provisioning interface", plan.servers),
		...networkSets("elsewhere", "networks that servers come from by any interface", plan.elsewhere),
		...networkSets("media_bmcs", "BMCs that fetch virtual media", plan.media.bmcs),
		...(plan.services.length === 0 ? [] : serviceSets(macs, plan)),
		...(site.bootstrap.spec.fence.egress === "limited" ? egressSets(site, inputs) : []),
	];
}

function serviceSets(macs: readonly string[], { relayed }: FencePlan): readonly FenceSet[] {
	return [
		...networkSets("relayed", "networks behind a DHCP relay", relayed),
		set("known_macs", "servers of the site, as their frames say", macSet, macs),
		set(
			"known_clients",
			"the same, as their DHCPv4 packets say",
			[`typeof ${clientAddress}`],
			macs.map(macNumber),
		),
		set("dhcp_servers", "others that gave out addresses", ["type ether_addr . ipv4_addr", ...unknown]),
		set("routers", "who announced itself as a router", ["type ether_addr . ipv6_addr", ...unknown]),
		set("unknown_clients", "unknown servers that asked for DHCPv4", [`typeof ${clientAddress}`, ...unknown]),
		set("unknown_clients_since", "when they did so first", [`typeof ${clientAddress}`, ...since]),
		set("unknown_firmware", "the architecture that their firmware told (option 93)", [
			`typeof ${clientAddress} . ${firmwareAt(0).architecture}`,
			...unknown,
		]),
		set("unknown_macs", "unknown servers that asked for DHCPv6 or TFTP", [...macSet, ...unknown]),
		set("unknown_macs_since", "when they did so first", [...macSet, ...since]),
	];
}

function egressSets(site: Site, inputs: FenceInputs): readonly FenceSet[] {
	const service = ["type ipv4_addr . inet_proto . inet_service"];
	const { resolved } = inputs;
	const allowed = site.bootstrap.spec.fence.allow.flatMap((host) => addressesOf(host, resolved));
	return [
		set(
			"bmc_services",
			"the site's BMCs",
			service,
			bmcDestinations(site).flatMap((bmc) => serviceElements(bmc, resolved)),
		),
		set("image_services", "where the site's images come from", service, [
			...imageDestinations(site).flatMap((source) => serviceElements(source, resolved)),
			...inputs.further.flatMap((source) =>
				serviceElements(source, resolved).filter((element) => isElsewhere(element, inputs)),
			),
		]),
		set("name_servers", "this machine's name servers", ["type ipv4_addr"], v4Only(inputs.nameServers)),
		set("allowed", "what fence.allow names", ["type ipv4_addr", "flags interval"], networksOf(allowed).v4),
	];
}

/** Whoever an image source sends containers to: never to this machine itself, nor to services of its own link. */
function isElsewhere(element: string, { localAddresses = [] }: FenceInputs): boolean {
	const [address = ""] = element.split(" . ");
	return !/^(?:0|127|169\.254)\./.test(address) && !localAddresses.includes(address);
}

/** The stack's bridge has no IPv6: what has only such an address is out of its reach with and without a fence. */
function serviceElements({ host, port, protocol }: Destination, resolved: Resolved): readonly string[] {
	return v4Only(addressesOf(host, resolved)).map((address) => `${address} . ${protocol} . ${port}`);
}

function v4Only(addresses: readonly string[]): readonly string[] {
	return networksOf(addresses).v4.map((network) => network.replace(/\/32$/, ""));
}

function networkSets(name: string, comment: string, networks: Networks): readonly FenceSet[] {
	return [
		set(name, comment, ["type ipv4_addr", "flags interval"], networks.v4),
		set(`${name}6`, comment, ["type ipv6_addr", "flags interval"], networks.v6),
	];
}

function set(
	name: string,
	comment: string,
	properties: readonly string[],
	elements: readonly string[] = [],
): FenceSet {
	return { name, comment, properties, elements: [...new Set(elements)].sort() };
}
