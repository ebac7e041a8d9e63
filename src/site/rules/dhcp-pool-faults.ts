import { type Cidr, cidrContains, type IpAddress, parseCidr, parseIpAddress } from "../../resources/ip.ts";
import type { PoolText } from "./dhcp-pools.ts";
import { about, attempt, given, type IronicUnderTest } from "./ironic-rule.ts";

/** Faults of one pool, by itself and against this machine's own address. */
export function* poolFaults(ironic: IronicUnderTest, text: PoolText) {
	const field = (name: string) => `\`${[...text.path, name].join(".").replace(/\.(\d+)/g, "[$1]")}\``;
	const cidr = attempt(() => parseCidr(text.cidr));
	if (!cidr) {
		yield about(ironic, [...text.path, "networkCIDR"], "dhcp-network-invalid", {
			message: `${field("networkCIDR")} is not a network`,
			seen: text.cidr,
			fix: "give a network such as 172.22.0.0/24",
		});
		return;
	}
	if (cidr.prefix === 0)
		yield about(ironic, [...text.path, "networkCIDR"], "dhcp-network-everything", {
			message: `${field("networkCIDR")} is the whole address space`,
			seen: text.cidr,
			fix: "give the provisioning network, such as 172.22.0.0/24",
		});
	const inside: IpAddress[] = [];
	for (const [name, written] of [
		["rangeBegin", text.begin],
		["rangeEnd", text.end],
	] as const) {
		const ip = attempt(() => parseIpAddress(written));
		if (!ip || !cidrContains(cidr, ip))
			yield about(ironic, [...text.path, name], ip ? "dhcp-range-outside" : "ip-address-invalid", {
				message: ip ? `${field(name)} is not in ${text.cidr}` : `${field(name)} is not an IP address`,
				seen: written,
				fix: `give an address of ${cidr.text}`,
			});
		else inside.push(ip);
	}
	const [begin, end] = inside;
	if (begin && end && begin.value > end.value)
		yield about(ironic, [...text.path, "rangeBegin"], "dhcp-range-reversed", {
			message: `${field("rangeBegin")} comes after ${field("rangeEnd")}`,
			seen: `${text.begin} - ${text.end}`,
			fix: "swap the two",
		});
	if (begin && end && begin.value <= end.value) yield* edges(ironic, text, cidr, begin, end);
	yield* gatewayFaults(ironic, text, cidr, field("gatewayAddress"));
	if (!text.isExtra) yield* ownAddress(ironic, cidr, begin, end);
	else yield* family(ironic, text, cidr);
}

function* edges(ironic: IronicUnderTest, text: PoolText, cidr: Cidr, begin: IpAddress, end: IpAddress) {
	if (cidr.family !== 4 || cidr.prefix >= 31) return;
	for (const [name, ip, edge] of [
		["rangeBegin", begin, cidr.first],
		["rangeEnd", end, cidr.last],
	] as const)
		if (ip.value === edge.value)
			yield about(ironic, [...text.path, name], "dhcp-range-edge", {
				message: `the range contains ${ip.text}, the ${name === "rangeBegin" ? "network" : "broadcast"} address of ${cidr.text}`,
				seen: ip.text,
				fix: "leave the network's first and last address out of the range",
			});
}

function* gatewayFaults(ironic: IronicUnderTest, text: PoolText, cidr: Cidr, field: string) {
	const written = text.gateway;
	if (!given(written)) return;
	const path = [...text.path, "gatewayAddress"];
	const gateway = attempt(() => parseIpAddress(written));
	if (!gateway) {
		if (text.isExtra)
			yield about(ironic, path, "ip-address-invalid", {
				message: `${field} is not an IP address`,
				seen: written,
				fix: `give an address of ${cidr.text}`,
			});
		return;
	}
	if (text.isExtra && gateway.family === 6)
		yield about(ironic, path, "dhcp-gateway-ipv6", {
			message: `${field} is an IPv6 address; IPv6 routers announce themselves`,
			seen: written,
			fix: "remove it",
		});
	else if (!cidrContains(cidr, gateway))
		yield about(ironic, path, "dhcp-gateway-outside", {
			message: `${field} is not in ${cidr.text}, so no server could reach it`,
			seen: written,
			fix: `give an address of ${cidr.text}, or remove it`,
		});
}

function* ownAddress(
	ironic: IronicUnderTest,
	cidr: Cidr,
	begin: IpAddress | undefined,
	end: IpAddress | undefined,
) {
	const written = ironic.spec.networking.ipAddress;
	const own = given(written) ? attempt(() => parseIpAddress(written)) : undefined;
	if (!own) return;
	if (!cidrContains(cidr, own))
		yield about(ironic, ["networking", "ipAddress"], "ip-address-outside", {
			message: `\`networking.ipAddress\` is not in \`networking.dhcp.networkCIDR\`, ${cidr.text}`,
			seen: own.text,
			fix: `give this machine's address in ${cidr.text}, or correct the network`,
		});
	else if (begin && end && own.value >= begin.value && own.value <= end.value)
		yield about(ironic, ["networking", "ipAddress"], "ip-address-in-pool", {
			message:
				"`networking.ipAddress` lies in the DHCP range: a server would be given this machine's address",
			seen: `${own.text} in ${begin.text} - ${end.text}`,
			fix: "move the range or the address",
		});
}

/** dnsmasq's boot options follow the family of the provisioning address alone. */
function* family(ironic: IronicUnderTest, text: PoolText, cidr: Cidr) {
	const written = ironic.spec.networking.ipAddress;
	const own = given(written) ? attempt(() => parseIpAddress(written)) : undefined;
	if (own && own.family !== cidr.family)
		yield about(ironic, [...text.path, "networkCIDR"], "dhcp-family-mix", {
			message: `an IPv${cidr.family} range with the IPv${own.family} provisioning address ${own.text}: its servers would get no boot options`,
			seen: text.cidr,
			fix: "use one address family for `ipAddress` and all ranges",
		});
}
