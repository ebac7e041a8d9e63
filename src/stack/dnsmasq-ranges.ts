import { IronstrapError } from "../lib/errors.ts";
import { announcesPrefixes, type ServedMode } from "../resources/dhcp-mode.ts";
import { parseIpAddress } from "../resources/ip.ts";
import type { Dhcp, DhcpRange } from "../resources/ironic.ts";
import type { Site } from "../resources/site.ts";
import { ipv6Network, isIPv6, netmask } from "./addresses.ts";
import type { StackInputs } from "./inputs.ts";

interface Range extends DhcpRange {
	/** dnsmasq tag; none for the main range. */
	readonly tag?: string;
}

/** Whether addresses of a family are given out. */
export function servesFamily(dhcp: Dhcp | undefined, family: 4 | 6): boolean {
	return rangesOf(dhcp).some(({ rangeBegin }) => isIPv6(rangeBegin) === (family === 6));
}

/** `dhcp-range`, always with its netmask or prefix: dnsmasq would else take the interface's, and a /32 there breaks it. */
export function rangeLines(dhcp: Dhcp | undefined, inputs: StackInputs, mode: ServedMode): readonly string[] {
	if (mode === "proxy") return [proxyRange(inputs)];
	return rangesOf(dhcp).map(({ networkCIDR, rangeBegin, rangeEnd, tag }) => {
		const set = tag === undefined ? "" : `set:${tag},`;
		const mask = isIPv6(rangeBegin) ? ipv6Network(networkCIDR).prefix : netmask(networkCIDR);
		return `dhcp-range=${set}${rangeBegin},${mode === "reservations" ? "static" : rangeEnd},${mask},1h`;
	});
}

/** An option without a value keeps dnsmasq from announcing itself as router and name server. */
export function optionLines(site: Site, dhcp: Dhcp, inputs: StackInputs): readonly string[] {
	const dns = dhcp.serveDNS === true ? inputs.provisioning.address : dhcp.dnsAddress;
	const lines: string[] = [];
	if (servesFamily(dhcp, 4)) {
		lines.push(option("option:router", dhcp.gatewayAddress));
		for (const { tag, gatewayAddress, rangeBegin } of rangesOf(dhcp))
			if (tag !== undefined && !isIPv6(rangeBegin))
				lines.push(option(`tag:${tag},option:router`, gatewayAddress));
		lines.push(option("option:dns-server", dns === undefined || isIPv6(dns) ? undefined : dns));
	}
	// DHCP tells addresses only.
	const ntp = site.bootstrap.spec.ntpServers.filter((server) => isIP(server));
	const [ntp4, ntp6] = [ntp.filter((server) => !isIPv6(server)), ntp.filter(isIPv6)];
	if (ntp4.length > 0 && servesFamily(dhcp, 4)) lines.push(`dhcp-option=option:ntp-server,${ntp4.join(",")}`);
	if (ntp6.length > 0 && servesFamily(dhcp, 6))
		lines.push(`dhcp-option=option6:ntp-server,${ntp6.map((server) => `[${server}]`).join(",")}`);
	if (dns !== undefined && isIPv6(dns)) lines.push(`dhcp-option=option6:dns-server,[${dns}]`);
	return lines;
}

/**
 * Prefix announcements without a router (lifetime 0): IPv6 servers need them to ask for an address at all, and beside
 * IPv4 they save each iPXE boot about 15 s of waiting for IPv6. They change no host's route.
 */
export function routerAdvertisement(site: Site, inputs: StackInputs): readonly string[] {
	const { ipv6Cidr, interface: name } = inputs.provisioning;
	if (!announcesPrefixes(site.bootstrap)) return [];
	const lines = [`ra-param=${name},0,0`, "enable-ra"];
	if (servesFamily(site.ironic.spec.networking.dhcp, 6)) return lines;
	if (ipv6Cidr === undefined) return [];
	const { network, prefix } = ipv6Network(ipv6Cidr);
	return [...lines, `dhcp-range=${network},ra-stateless,${prefix},1h`];
}

function rangesOf(dhcp: Dhcp | undefined): readonly Range[] {
	if (dhcp === undefined) return [];
	const { networkCIDR, rangeBegin, rangeEnd, gatewayAddress, extraRanges } = dhcp;
	const main =
		networkCIDR !== undefined && rangeBegin !== undefined && rangeEnd !== undefined
			? [{ networkCIDR, rangeBegin, rangeEnd, gatewayAddress }]
			: [];
	return [...main, ...(extraRanges ?? []).map((range, index) => ({ ...range, tag: `range_${index + 1}` }))];
}

function isIP(text: string): boolean {
	try {
		parseIpAddress(text);
		return true;
	} catch {
		return false;
	}
}

function option(name: string, value: string | undefined): string {
	return `dhcp-option=${value === undefined || value === "" ? name : `${name},${value}`}`;
}

function proxyRange({ provisioning }: StackInputs): string {
	const { address, cidr } = provisioning;
	if (!isIPv6(address)) return `dhcp-range=${address},proxy,${netmask(cidr)}`;
	throw new IronstrapError({
		code: "dhcp-proxy-ipv6",
		message: "Bootstrap.spec.dhcp.mode proxy needs an IPv4 provisioning address: DHCPv6 has no proxies",
		seen: address,
		fix: "set Ironic.spec.networking.ipAddress to an IPv4 address, or use virtual media",
	});
}
