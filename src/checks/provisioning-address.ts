import { IronstrapError } from "../lib/errors.ts";
import type { LocalAddress } from "../linux/links.ts";
import { announcesPrefixes, dhcpModeOf } from "../resources/dhcp-mode.ts";
import { parseCidr } from "../resources/ip.ts";
import { describe, type Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import { type Check, faultsFound } from "./check.ts";

/**
 * This machine has the address that servers are told to come to. Codes: `provisioning-address-missing`,
 * `provisioning-prefix`.
 */
export function provisioningAddressHere(site: Site, local: readonly LocalAddress[]): Check {
	return {
		id: "provisioning-address",
		why: "servers are told this address: without it they boot into nothing",
		async look() {
			const missing = await faultsFound(() => provisioningAddress(site, local));
			return missing.length > 0 ? missing : advertisedPrefix(site, local);
		},
	};
}

export interface ProvisioningAddress {
	readonly address: string;
	readonly interface: string;
	/** With prefix length, e.g. `172.22.0.1/24`. */
	readonly cidr: string;
}

/**
 * Finds the machine's address on the provisioning network from what the `Ironic` names: `ipAddress`, or an
 * `interface`, or one of `macAddresses` (each as ironic-image takes them). Pure: `local` is what the machine has.
 */
export function provisioningAddress(site: Site, local: readonly LocalAddress[]): ProvisioningAddress {
	const { ipAddress, interface: name, macAddresses } = site.ironic.spec.networking;
	if (ipAddress !== undefined) {
		const match = local.find(({ address }) => address === ipAddress);
		if (match === undefined)
			throw refusal(site, "ipAddress", `no interface of this machine has the address ${ipAddress}`, local);
		if (name !== undefined && match.interface !== name)
			throw refusal(site, "interface", `${ipAddress} is not on ${name} but on ${match.interface}`, local);
		return match;
	}
	if (name !== undefined)
		return only(site, "interface", `interface ${name}`, local, (link) => link.interface === name);
	if (macAddresses !== undefined && macAddresses.length > 0) {
		const macs = macAddresses.map((mac) => mac.toLowerCase());
		return only(site, "macAddresses", `an interface with ${macs.join(" or ")}`, local, (link) =>
			macs.includes(link.mac),
		);
	}
	throw refusal(site, undefined, "the Ironic names neither ipAddress nor interface nor macAddresses", local);
}

/** dnsmasq announces the interface's own IPv6 network as well, and stops with an error if that is no /64. */
function advertisedPrefix(site: Site, local: readonly LocalAddress[]): readonly Finding[] {
	const { dhcp } = site.ironic.spec.networking;
	const link = provisioningAddress(site, local);
	const ipv6 = local.find(({ family, interface: name }) => name === link.interface && family === "IPv6");
	if (dhcpModeOf(site) === "off" || !announcesPrefixes(site.bootstrap) || ipv6 === undefined) return [];
	const ranges = [dhcp, ...(dhcp?.extraRanges ?? [])];
	if (ranges.some((range) => range?.networkCIDR?.includes(":"))) return [];
	if (parseCidr(ipv6.cidr).prefix === 64) return [];
	const ref = ironicRef(site);
	return [
		{
			code: "provisioning-prefix",
			severity: "error",
			message: `the IPv6 network of ${link.interface} is no /64, so servers cannot configure themselves on it`,
			where: site.locate(ref, ["spec", "networking"]),
			subject: describe(ref),
			seen: ipv6.cidr,
			fix: "give the interface an address with /64, or remove its IPv6 address",
		},
	];
}

/** The first IPv4 address of the links that match; an interface without any is refused. */
function only(
	site: Site,
	field: string,
	what: string,
	local: readonly LocalAddress[],
	matches: (link: LocalAddress) => boolean,
): ProvisioningAddress {
	const links = local.filter(matches);
	const chosen = links.find(({ family }) => family === "IPv4") ?? links[0];
	if (chosen === undefined) throw refusal(site, field, `this machine has no ${what} with an address`, local);
	return chosen;
}

function refusal(
	site: Site,
	field: string | undefined,
	message: string,
	local: readonly LocalAddress[],
): IronstrapError {
	const ref = ironicRef(site);
	return new IronstrapError({
		code: "provisioning-address-missing",
		message,
		where: site.locate(ref, ["spec", "networking", ...(field === undefined ? [] : [field])]),
		subject: describe(ref),
		seen: local.map(({ interface: link, cidr }) => `${link} ${cidr}`).join(", ") || "no address at all",
		fix: "set spec.networking.ipAddress to an address of this machine, or give the machine the address first (`ip addr add`)",
	});
}

function ironicRef({ ironic: { metadata } }: Site) {
	return { kind: "Ironic", namespace: metadata.namespace, name: metadata.name };
}
