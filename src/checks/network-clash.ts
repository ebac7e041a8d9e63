import type { LocalAddress } from "../linux/links.ts";
import { type Cidr, cidrsOverlap, parseCidr } from "../resources/ip.ts";
import { describe, type ObjectRef, type Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import type { Check } from "./check.ts";
import { provisioningAddress } from "./provisioning-address.ts";

/**
 * No network of the site is on another interface already (a container bridge, a VPN, the office). Code:
 * `network-elsewhere`.
 */
export function networkClash(site: Site, local: readonly LocalAddress[]): Check {
	return {
		id: "network-clash",
		why: "a network on two interfaces sends answers for the servers out of the wrong one",
		async look() {
			const provisioning = attempt(() => provisioningAddress(site, local));
			if (provisioning === undefined) return []; // the check of that address says so
			const others = local.filter((link) => link.interface !== provisioning.interface);
			return [...dhcpNetworks(site), ...bridge(site)].flatMap((network) => clash(site, network, others));
		},
	};
}

interface SiteNetwork {
	readonly ref: ObjectRef;
	readonly path: readonly (string | number)[];
	readonly cidr: Cidr;
	/** The address that our own bridge has while the stack runs. */
	readonly ours?: bigint;
}

function clash(site: Site, network: SiteNetwork, others: readonly LocalAddress[]): readonly Finding[] {
	const { cidr, ours, path, ref } = network;
	const other = others.find((link) => {
		const theirs = attempt(() => parseCidr(link.cidr));
		return theirs !== undefined && theirs.address.value !== ours && cidrsOverlap(theirs, cidr);
	});
	if (other === undefined) return [];
	return [
		{
			code: "network-elsewhere",
			// a laptop may well be on one network by cable and by radio; an engine's bridge cannot share one
			severity: ours === undefined ? "warning" : "error",
			message: `the network ${cidr.text} is on another interface of this machine too`,
			where: site.locate(ref, path),
			subject: describe(ref),
			seen: `${other.interface} has ${other.cidr}`,
			fix: "choose another network, or remove the address from that interface",
		},
	];
}

function dhcpNetworks({ ironic }: Site): SiteNetwork[] {
	const { dhcp } = ironic.spec.networking;
	const ref = { kind: "Ironic", namespace: ironic.metadata.namespace, name: ironic.metadata.name };
	// further ranges are behind relays: their networks need not be here, but must not be elsewhere either
	const written = [
		{ path: ["networkCIDR"] as (string | number)[], text: dhcp?.networkCIDR },
		...(dhcp?.extraRanges ?? []).map(({ networkCIDR }, index) => ({
			path: ["extraRanges", index, "networkCIDR"],
			text: networkCIDR,
		})),
	];
	return written.flatMap(({ path, text }) =>
		text ? [{ ref, path: ["spec", "networking", "dhcp", ...path], cidr: parseCidr(text) }] : [],
	);
}

function bridge({ bootstrap }: Site): SiteNetwork[] {
	const text = bootstrap.spec.bridgeSubnet;
	if (text === undefined) return [];
	const { name, namespace } = bootstrap.metadata;
	const cidr = parseCidr(text);
	const ref = { kind: "Bootstrap", namespace, name };
	return [{ ref, path: ["spec", "bridgeSubnet"], cidr, ours: cidr.first.value + 1n }];
}

function attempt<T>(look: () => T): T | undefined {
	try {
		return look();
	} catch {
		return undefined;
	}
}
