import { IronstrapError } from "../lib/errors.ts";
import type { Dhcp } from "../resources/ironic.ts";
import type { Site } from "../resources/site.ts";
import { ipv6Network, isIPv6, netmask } from "./addresses.ts";
import { endpointsOf } from "./endpoints.ts";
import { imagePaths } from "./image-paths.ts";
import { hasControlCharacter } from "./ini.ts";
import type { StackInputs } from "./inputs.ts";
import { serverMacs } from "./server-macs.ts";

interface Range {
	readonly networkCIDR: string;
	readonly rangeBegin: string;
	readonly rangeEnd: string;
	readonly gatewayAddress?: string | undefined;
	/** dnsmasq tag; none for the main range. */
	readonly tag?: string;
}

/**
 * `dnsmasq.conf`: DHCP, TFTP and (with `serveDNS`) DNS on the provisioning interface, for known servers only unless
 * the site opens DHCP (`Bootstrap.spec.fence.dhcp`).
 * BIOS and UEFI firmware load iPXE over TFTP, UEFI HTTP boot over HTTP; iPXE then fetches Ironic's script.
 */
export function dnsmasqConf(site: Site, inputs: StackInputs, dhcp: Dhcp): string {
	const name = inputs.provisioning.interface;
	const lines = [
		"# Written by ironstrap; changes are overwritten.",
		`port=${dhcp.serveDNS === true ? 53 : 0}`,
		`interface=${interfaceName(name)}`,
		// Only this interface's addresses, also those it gets later.
		"bind-dynamic",
		"except-interface=lo",
		`user=${imagePaths(inputs.images.ironic.layout).dnsmasqUser}`,
		// Writing one would need CAP_CHOWN.
		"pid-file=",
		"log-facility=-",
		"log-dhcp",
		// A ping before each offer costs a booting server three seconds.
		"no-ping",
		"dhcp-leasefile=/var/lib/misc/dnsmasq.leases",
		"dhcp-hostsdir=/etc/ironstrap/dnsmasq/hosts",
		...(site.bootstrap.spec.fence.dhcp === "open" ? [] : ["dhcp-ignore=tag:!known"]),
		...(dhcp.ignore ?? []).map((value) => `dhcp-ignore=${raw(site, "ignore", value)}`),
		...(dhcp.hosts ?? []).map((value) => `dhcp-host=${raw(site, "hosts", value)}`),
		...rangesOf(dhcp).flatMap((range) => rangeLines(range)),
		...optionLines(dhcp, inputs),
		...bootLines(endpointsOf(site, inputs).files, inputs),
		...routerAdvertisement(dhcp, inputs),
	];
	return `${lines.join("\n")}\n`;
}

/** One file for each MAC address below `dnsmasq/hosts`: dnsmasq reads new and changed ones at once. */
export function dnsmasqHosts(site: Site, inputs: StackInputs): ReadonlyMap<string, string> {
	const reserved = new Map(
		(inputs.reservations ?? []).map(({ mac, address }) => [mac.toLowerCase(), address]),
	);
	const macs = new Set<string>([...reserved.keys(), ...serverMacs(site)]);
	return new Map(
		[...macs].sort().map((mac) => {
			const address = reserved.get(mac);
			const line =
				address === undefined ? mac : `${mac},${isIPv6(address) ? `[${address}]` : address},infinite`;
			return [mac.replaceAll(":", "-"), `${line}\n`] as const;
		}),
	);
}

function rangesOf(dhcp: Dhcp): readonly Range[] {
	const { networkCIDR, rangeBegin, rangeEnd, gatewayAddress, extraRanges } = dhcp;
	const main =
		networkCIDR !== undefined && rangeBegin !== undefined && rangeEnd !== undefined
			? [{ networkCIDR, rangeBegin, rangeEnd, gatewayAddress }]
			: [];
	return [...main, ...(extraRanges ?? []).map((range, index) => ({ ...range, tag: `range_${index + 1}` }))];
}

function rangeLines({ networkCIDR, rangeBegin, rangeEnd, tag }: Range): readonly string[] {
	const set = tag === undefined ? "" : `set:${tag},`;
	if (isIPv6(rangeBegin))
		return [`dhcp-range=${set}${rangeBegin},${rangeEnd},${ipv6Network(networkCIDR).prefix},1h`];
	return [`dhcp-range=${set}${rangeBegin},${rangeEnd},${netmask(networkCIDR)},1h`];
}

/** An option without a value keeps dnsmasq from announcing itself as router and name server. */
function optionLines(dhcp: Dhcp, inputs: StackInputs): readonly string[] {
	const ranges = rangesOf(dhcp);
	const dns = dhcp.serveDNS === true ? inputs.provisioning.address : dhcp.dnsAddress;
	const lines: string[] = [];
	if (ranges.some(({ rangeBegin }) => !isIPv6(rangeBegin))) {
		const main = dhcp.gatewayAddress;
		lines.push(main === undefined ? "dhcp-option=option:router" : `dhcp-option=option:router,${main}`);
		for (const { tag, gatewayAddress, rangeBegin } of ranges)
			if (tag !== undefined && !isIPv6(rangeBegin))
				lines.push(
					`dhcp-option=tag:${tag},option:router${gatewayAddress === undefined ? "" : `,${gatewayAddress}`}`,
				);
		const v4 = dns === undefined || isIPv6(dns) ? "" : `,${dns}`;
		lines.push(`dhcp-option=option:dns-server${v4}`);
	}
	if (dns !== undefined && isIPv6(dns)) lines.push(`dhcp-option=option6:dns-server,[${dns}]`);
	return lines;
}

function bootLines(files: string, inputs: StackInputs): readonly string[] {
	const { address } = inputs.provisioning;
	if (isIPv6(address)) return bootLinesV6(files, address);
	const tftp = (tag: string, file: string) => `dhcp-boot=tag:!ipxe,tag:${tag},${file},${address},${address}`;
	return [
		"enable-tftp",
		"tftp-root=/shared/tftpboot",
		// Data comes from port 69 too, so that a firewall needs no connection tracking for it.
		"tftp-single-port",
		// Firmware architectures: RFC 4578, and IANA's registry for 16 (x64 UEFI HTTP).
		"dhcp-match=set:bios,option:client-arch,0",
		"dhcp-match=set:efi64,option:client-arch,7",
		"dhcp-match=set:efi64,option:client-arch,9",
		"dhcp-match=set:arm64,option:client-arch,11",
		"dhcp-match=set:efihttp,option:client-arch,16",
		// iPXE announces itself by its own encapsulated options.
		"dhcp-match=set:ipxe,175",
		`dhcp-boot=tag:ipxe,${files}/boot.ipxe`,
		tftp("bios", "undionly.kpxe"),
		tftp("efi64", "snponly-x86_64.efi"),
		tftp("arm64", "snponly-arm64.efi"),
		// UEFI HTTP boot takes an answer only from a server of its own class.
		"dhcp-option-force=tag:efihttp,60,HTTPClient",
		`dhcp-boot=tag:!ipxe,tag:efihttp,${files}/snponly-x86_64.efi`,
	];
}

function bootLinesV6(files: string, address: string): readonly string[] {
	const tftp = (tag: string, file: string) =>
		`dhcp-option=tag:!ipxe6,tag:${tag},option6:bootfile-url,tftp://[${address}]/${file}`;
	return [
		"enable-tftp",
		"tftp-root=/shared/tftpboot",
		"dhcp-match=set:efi64,option6:61,7",
		"dhcp-match=set:efi64,option6:61,9",
		"dhcp-match=set:arm64,option6:61,11",
		"dhcp-userclass=set:ipxe6,iPXE",
		tftp("efi64", "snponly-x86_64.efi"),
		tftp("arm64", "snponly-arm64.efi"),
		`dhcp-option=tag:ipxe6,option6:bootfile-url,${files}/boot.ipxe`,
	];
}

/** Prefix announcements without a router (lifetime 0): they end iPXE's wait for IPv6, and change no host's route. */
function routerAdvertisement(dhcp: Dhcp, inputs: StackInputs): readonly string[] {
	const { ipv6Cidr, interface: name } = inputs.provisioning;
	const lines = [`ra-param=${name},0,0`, "enable-ra"];
	if (rangesOf(dhcp).some(({ rangeBegin }) => isIPv6(rangeBegin))) return lines;
	if (ipv6Cidr === undefined) return [];
	const { network, prefix } = ipv6Network(ipv6Cidr);
	return [...lines, `dhcp-range=${network},ra-stateless,${prefix},1h`];
}

function interfaceName(name: string): string {
	if (/^[^\s/,#"\\*]{1,15}$/.test(name)) return name;
	throw new IronstrapError({
		code: "interface-name-invalid",
		message: "the provisioning interface's name cannot be written into dnsmasq's configuration",
		seen: JSON.stringify(name),
		fix: "rename the interface (`ip link set dev OLD name NEW`)",
	});
}

/** A value in dnsmasq's own syntax: commas are the user's, a second line or a comment would not be. */
function raw(site: Site, field: string, value: string): string {
	if (value.trim() !== "" && !hasControlCharacter(value) && !/["#\\]/.test(value)) return value.trim();
	const { metadata } = site.ironic;
	throw new IronstrapError({
		code: "dhcp-value-invalid",
		message: `Ironic.spec.networking.dhcp.${field} has a value that dnsmasq's configuration cannot hold`,
		where: site.locate({ kind: "Ironic", namespace: metadata.namespace, name: metadata.name }, [
			"spec",
			"networking",
			"dhcp",
			field,
		]),
		seen: JSON.stringify(value),
		fix: 'write one value of one line, without `#`, `"` and `\\`',
	});
}
