import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import { cidrContains, parseIpAddress } from "../resources/ip.ts";
import type { Site } from "../resources/site.ts";
import { planBridge } from "../stack/addresses.ts";
import { containerPorts, type EndpointInputs, endpointsOf } from "../stack/endpoints.ts";
import { mediaAddresses } from "../stack/media.ts";
import { bridgeInterfaceName } from "../stack/names.ts";
import { addressesOf, type Destination, mediaBmcs, type Resolved } from "./egress.ts";
import { type Networks, networkOf, networksOf } from "./networks.ts";

/** What a fence depends on besides the site; decided or read beforehand. */
export interface FenceInputs extends EndpointInputs {
	/** Addresses of this machine with the interfaces that carry them. */
	readonly local: readonly { readonly interface: string; readonly address: string }[];
	readonly bridgeSubnet: string;
	/** This machine's name servers, without those on its loopback. */
	readonly nameServers: readonly string[];
	readonly resolved: Resolved;
	/** Where the site's image sources lead on to: redirections, and who gives out a registry's tokens. */
	readonly further: readonly Destination[];
	/** MAC addresses of servers that were learnt from the servers themselves. */
	readonly learntMacs: readonly string[];
	/**
	 * Interfaces between which this machine did not route before an engine switched forwarding on, and for which family;
	 * it must not begin to.
	 */
	readonly apart: { readonly links: readonly string[]; readonly v4: boolean; readonly v6: boolean };
}

/** A published address with its ports, and who may come to it. */
export interface Door {
	readonly address: string;
	readonly ports: readonly number[];
	/** `servers`: servers and BMCs; `bmcs`: BMCs alone, for virtual media; `external`: the same by an address they reach from anywhere; `operators`: the full API. */
	readonly who: "servers" | "bmcs" | "external" | "operators" | "machine";
	/** The interface that carries the address. */
	readonly link: string | undefined;
}

/** Who may reach what, before it becomes rules. */
export interface FencePlan {
	readonly site: string;
	readonly table: string;
	readonly bridge: string;
	readonly containers: string;
	readonly provisioning: string;
	readonly doors: readonly Door[];
	/** Networks that servers come from by the provisioning interface. */
	readonly servers: Networks;
	/** Those of them that a DHCP relay stands before: their packets carry the relay's MAC address. */
	readonly relayed: Networks;
	/** Servers reach us through a device that may leave their own addresses in place. */
	readonly anySource: boolean;
	/** Networks that servers come from by any interface. */
	readonly elsewhere: Networks;
	/** BMCs that fetch virtual media, and the port they fetch it from. */
	readonly media: { readonly bmcs: Networks; readonly port: number };
	/** UDP ports of dnsmasq; none without DHCP. */
	readonly services: readonly number[];
	readonly dns: boolean;
}

/** Names of sites are short and have neither dots nor underscores, so that tables of two sites never meet. */
export function fenceTable(site: string): string {
	return `ironstrap_${site}`;
}

export function planFence(site: Site, inputs: FenceInputs): FencePlan {
	const { networking } = site.ironic.spec;
	const { dhcp, externalIP } = networking;
	const { provisioning } = inputs;
	const own = [provisioning.cidr, ...(provisioning.ipv6Cidr === undefined ? [] : [provisioning.ipv6Cidr])];
	const served = [
		dhcp?.networkCIDR,
		...(dhcp?.extraRanges ?? []).map(({ networkCIDR }) => networkCIDR),
	].filter((network) => network !== undefined);
	const endpoints = endpointsOf(site, inputs);
	return {
		site: site.name,
		table: fenceTable(site.name),
		bridge: bridgeInterfaceName(site.name),
		containers: planBridge(inputs.bridgeSubnet).subnet,
		provisioning: provisioning.interface,
		doors: doorsOf(site, inputs),
		servers: networksOf([...own, ...served]),
		relayed: networksOf(served.filter((network) => isFar(network, own))),
		anySource: externalIP !== undefined && !(inputs.localAddresses ?? []).includes(externalIP),
		elsewhere: networksOf(site.bootstrap.spec.fence.servers),
		media: {
			bmcs: networksOf(mediaBmcs(site).flatMap((host) => addressesOf(host, inputs.resolved))),
			port: endpoints.mediaTls ? networking.imageServerTLSPort : networking.imageServerPort,
		},
		services: servicePorts(site),
		dns: dhcpModeOf(site) !== "off" && dhcp?.serveDNS === true,
	};
}

/** dnsmasq's UDP ports; none without DHCP. */
export function servicePorts(site: Site): readonly number[] {
	if (dhcpModeOf(site) === "off") return [];
	const { dhcp } = site.ironic.spec.networking;
	return [67, 69, 547, 4011, ...(dhcp?.serveDNS === true ? [53] : [])];
}

function doorsOf(site: Site, inputs: FenceInputs): readonly Door[] {
	const { address: facing, interface: link } = inputs.provisioning;
	const groups = new Map<string, { address: string; operators: boolean; ports: number[] }>();
	for (const { host_ip: address = "", published, target } of endpointsOf(site, inputs).ports) {
		const operators = target === containerPorts.operatorApi;
		const key = `${address} ${operators}`;
		const group = groups.get(key) ?? { address, operators, ports: [] };
		group.ports.push(Number(published));
		groups.set(key, group);
	}
	return [...groups.values()].map(({ address, operators, ports }): Door => {
		if (isLoopback(address)) return { address, ports, who: "machine", link: "lo" };
		if (address === facing) return { address, ports, who: "servers", link };
		if (!operators && mediaAddresses(inputs.provisioning).includes(address))
			return { address, ports, who: "bmcs", link: undefined };
		const carrier = inputs.local.find((local) => local.address === address)?.interface;
		return { address, ports, who: operators ? "operators" : "external", link: carrier };
	});
}

function isLoopback(address: string): boolean {
	return address === "::1" || address.startsWith("127.");
}

/** Whether a network is not one of those that the interface itself is on. */
function isFar(network: string, own: readonly string[]): boolean {
	const far = networkOf(network);
	return (
		far !== undefined &&
		!own.some((text) => {
			const near = networkOf(text);
			return near !== undefined && cidrContains(near, parseIpAddress(far.first.text));
		})
	);
}
