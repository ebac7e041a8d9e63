import {
	cidrsOverlap,
	type IpRange,
	parseIpAddress,
	rangeContains,
	rangesOverlap,
} from "../../resources/ip.ts";
import type { Path } from "../document.ts";
import { type Pool, poolsOf } from "./dhcp-pools.ts";
import { about, attempt, given, type IronicRule, type IronicUnderTest } from "./ironic-rule.ts";

/**
 * Addresses that somebody has already, and that DHCP must therefore not give away (`ipAddress` has its own rule), and
 * networks that are parts of each other. Neither is checked upstream.
 */
export const dhcpPoolMembers: IronicRule = function* (ironic) {
	const { dhcp } = ironic.spec.networking;
	if (!dhcp) return;
	const pools = poolsOf(dhcp);
	const ranges = pools.map(({ range }) => range);
	for (const [path, text, owner] of taken(ironic)) {
		const ip = attempt(() => parseIpAddress(text));
		const range = ip && ranges.find((candidate) => rangeContains(candidate, ip));
		if (ip && range)
			yield about(ironic, path, "address-in-pool", {
				message: `${owner} lies in the DHCP range: a server would be given its address`,
				seen: `${ip.text} in ${rangeText(range)}`,
				fix: "move the range or the address",
			});
	}
	for (const [index, pool] of pools.entries()) {
		const other = pools.slice(0, index).find((each) => isPartOf(each, pool));
		if (other)
			yield about(ironic, [...pool.path, "networkCIDR"], "dhcp-networks-overlap", {
				message: `the network ${pool.cidr.text} overlaps ${other.cidr.text}: servers of one would look for the other's on the wrong side`,
				seen: `${pool.cidr.text}, ${other.cidr.text}`,
				fix: "write the same network for ranges of one network, and networks that are apart for others",
			});
		if (pool.cidr.family === 6 && pool.cidr.prefix !== 64) yield prefix(ironic, pool.path, pool.cidr.prefix);
	}
};

/** Overlapping ranges, and a network that is everything, have been reported as such. */
function isPartOf(a: Pool, b: Pool): boolean {
	if (a.cidr.prefix === 0 || b.cidr.prefix === 0 || rangesOverlap(a.range, b.range)) return false;
	return cidrsOverlap(a.cidr, b.cidr) && a.cidr.text !== b.cidr.text;
}

function taken(ironic: IronicUnderTest): [Path, string, string][] {
	const { networking } = ironic.spec;
	const { dhcp, keepalived } = networking;
	const found: [Path, string | undefined, string][] = [
		[["networking", "externalIP"], networking.externalIP, "`networking.externalIP`"],
		[["networking", "dhcp", "gatewayAddress"], dhcp?.gatewayAddress, "the gateway"],
		[["networking", "dhcp", "dnsAddress"], dhcp?.dnsAddress, "the name server"],
		...(dhcp?.extraRanges ?? []).map((range, index): [Path, string | undefined, string] => [
			["networking", "dhcp", "extraRanges", index, "gatewayAddress"],
			range.gatewayAddress,
			"the gateway",
		]),
		...(keepalived?.additionalVIPs ?? []).map((vip, index): [Path, string | undefined, string] => [
			["networking", "keepalived", "additionalVIPs", index, "ipAddress"],
			vip.ipAddress,
			"an additional VIP",
		]),
	];
	return found.flatMap(([path, text, owner]) => (given(text) ? [[path, text, owner]] : []));
}

/** dnsmasq's dhcp-range(8): "the prefix length must be at least 64"; RFC 4862 makes addresses of 64 + 64 bits alone. */
function prefix(ironic: IronicUnderTest, path: Path, length: number) {
	const where = [...path, "networkCIDR"];
	if (length < 64)
		return about(ironic, where, "dhcp-prefix-short", {
			message: "dnsmasq serves no IPv6 network that is larger than a /64",
			seen: `/${length}`,
			fix: "give the /64 of it that the servers are on",
		});
	return about(ironic, where, "dhcp-prefix-long", {
		severity: "warning",
		message:
			"servers that configure themselves (SLAAC) need a /64; here only those that ask by DHCPv6 get an address",
		seen: `/${length}`,
		fix: "give a /64 if the network has one",
	});
}

function rangeText(range: IpRange): string {
	return `${range.begin.text} - ${range.end.text}`;
}
