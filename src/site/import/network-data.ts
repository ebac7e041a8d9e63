import { cidrContains, netmaskOf, parseCidr, parseIpAddress } from "../../resources/ip.ts";

/** One interface with a fixed address, as tables describe it. */
export interface StaticAddress {
	readonly mac: string;
	/** With or without `/24`. */
	readonly ip: string;
	/** `255.255.255.0` or `24`; not needed if `ip` has a prefix. */
	readonly netmask?: string | undefined;
	readonly gateway?: string | undefined;
	readonly dns?: readonly string[] | undefined;
	readonly vlan?: string | undefined;
}

/**
 * OpenStack's network_data.json, which cloud-init reads from the config drive. Throws a `RangeError` that says what
 * was wrong.
 * https://docs.openstack.org/nova/latest/user/metadata.html#openstack-format-metadata
 */
export function networkDataOf({ dns = [], gateway, ip, mac, netmask, vlan }: StaticAddress): object {
	const cidr = parseCidr(ip.includes("/") ? ip : `${ip}/${prefixOf(netmask)}`);
	const router = gateway ? parseIpAddress(gateway) : undefined;
	if (router && !cidrContains(cidr, router))
		throw new RangeError(`the gateway ${router.text} is not in ${cidr.text}`);
	const any = cidr.family === 4 ? "0.0.0.0" : "::";
	const physical = { id: "nic0", type: "phy", ethernet_mac_address: mac };
	const tag = vlan ? vlanOf(vlan) : undefined;
	const links =
		tag === undefined
			? [physical]
			: [physical, { id: "vlan0", type: "vlan", vlan_link: "nic0", vlan_id: tag, vlan_mac_address: mac }];
	return {
		links,
		networks: [
			{
				id: "net0",
				type: cidr.family === 4 ? "ipv4" : "ipv6",
				link: links.at(-1)?.id,
				ip_address: cidr.address.text,
				netmask: netmaskOf(cidr) ?? String(cidr.prefix),
				routes: router
					? [{ network: any, netmask: cidr.family === 4 ? any : "0", gateway: router.text }]
					: [],
			},
		],
		services: dns.map((server) => ({ type: "dns", address: parseIpAddress(server).text })),
	};
}

function prefixOf(netmask: string | undefined): number {
	if (!netmask) throw new RangeError("an address without a netmask");
	if (/^\/?\d{1,3}$/.test(netmask)) return Number(netmask.replace("/", ""));
	const mask = parseIpAddress(netmask);
	const bits = mask.value.toString(2).padStart(32, "0");
	if (mask.family !== 4 || !/^1*0*$/.test(bits))
		throw new RangeError(`${JSON.stringify(netmask)} is not a netmask`);
	return bits.indexOf("0") === -1 ? 32 : bits.indexOf("0");
}

function vlanOf(text: string): number {
	const id = Number(text);
	if (!Number.isInteger(id) || id < 1 || id > 4094)
		throw new RangeError(`${JSON.stringify(text)} is not a VLAN`);
	return id;
}
