import { IronstrapError } from "../lib/errors.ts";
import type { ServedMode } from "../resources/dhcp-mode.ts";
import { dhcpHostFault, dhcpIgnoreFault } from "../resources/dnsmasq-entry.ts";
import type { Site } from "../resources/site.ts";
import { isIPv6 } from "./addresses.ts";
import { bootLines } from "./dnsmasq-boot.ts";
import { optionLines, rangeLines, routerAdvertisement } from "./dnsmasq-ranges.ts";
import { endpointsOf } from "./endpoints.ts";
import { imagePaths } from "./image-paths.ts";
import type { StackInputs } from "./inputs.ts";
import { isMac, serverMacs } from "./server-macs.ts";

/**
 * `dnsmasq.conf`: DHCP, TFTP and (with `serveDNS`) DNS on the provisioning interface, for known servers only unless
 * the site opens DHCP (`Bootstrap.spec.fence.dhcp`).
 */
export function dnsmasqConf(site: Site, inputs: StackInputs, mode: ServedMode): string {
	const { dhcp } = site.ironic.spec.networking;
	const lines = [
		"# Written by ironstrap; changes are overwritten.",
		`port=${dhcp?.serveDNS === true ? 53 : 0}`,
		`interface=${interfaceName(inputs.provisioning.interface)}`,
		// Only this interface's addresses, also those it gets later.
		"bind-dynamic",
		"except-interface=lo",
		`user=${imagePaths(inputs.images.ironic.layout).dnsmasqUser}`,
		// No file at all: writing one would need CAP_CHOWN.
		"pid-file",
		"log-facility=-",
		"log-dhcp",
		// A ping before each offer costs a booting server three seconds.
		"no-ping",
		"dhcp-leasefile=/var/lib/misc/dnsmasq.leases",
		// A server that comes with an address from elsewhere is told at once that it needs another one.
		...(mode === "proxy" ? [] : ["dhcp-authoritative"]),
		"dhcp-hostsdir=/etc/ironstrap/dnsmasq/hosts",
		...(site.bootstrap.spec.fence.dhcp === "open" ? [] : ["dhcp-ignore=tag:!known"]),
		...(dhcp?.ignore ?? []).map((value) => `dhcp-ignore=${raw(site, "ignore", value)}`),
		...(dhcp?.hosts ?? []).map((value) => `dhcp-host=${raw(site, "hosts", value)}`),
		...rangeLines(dhcp, inputs, mode),
		...(dhcp === undefined || mode === "proxy" ? [] : optionLines(site, dhcp, inputs)),
		...bootLines(dhcp, endpointsOf(site, inputs).files, inputs, mode),
		...(mode === "proxy" ? [] : routerAdvertisement(site, inputs)),
	];
	return `${lines.join("\n")}\n`;
}

/** The files of all known servers: dnsmasq reads new and changed ones at once. */
export function dnsmasqHosts(site: Site, inputs: StackInputs): readonly DnsmasqHostFile[] {
	const reserved = new Map(
		(inputs.reservations ?? []).map(({ mac, address }) => [mac.toLowerCase(), address]),
	);
	const more = (inputs.moreMacs ?? []).filter(isMac).map((mac) => mac.toLowerCase());
	const macs = new Set<string>([...reserved.keys(), ...serverMacs(site), ...more]);
	return [...macs].sort().map((mac) => dnsmasqHostFile({ mac, address: reserved.get(mac) }));
}

export interface DnsmasqHostFile {
	/** Relative to the run directory: `dnsmasq/hosts/52-54-00-ab-00-01`. */
	readonly path: string;
	readonly content: string;
}

/** A server that gets an address, and with `address` this one, without end. `mac` in lower case. */
export function dnsmasqHostFile(host: {
	readonly mac: string;
	readonly address?: string | undefined;
}): DnsmasqHostFile {
	return {
		path: `dnsmasq/hosts/${host.mac.replaceAll(":", "-")}`,
		content: `${host.address === undefined ? host.mac : reservation(host.mac, host.address)}\n`,
	};
}

/** As `dhcp-host` of dnsmasq, and `networking.dhcp.hosts` of an `Ironic`, take it. */
export function reservation(mac: string, address: string): string {
	return `${mac},${isIPv6(address) ? `[${address}]` : address},infinite`;
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
function raw(site: Site, field: "hosts" | "ignore", value: string): string {
	const fault = field === "hosts" ? dhcpHostFault(value) : dhcpIgnoreFault(value);
	if (fault === undefined) return value.trim();
	const { metadata } = site.ironic;
	throw new IronstrapError({
		code: "dhcp-value-invalid",
		message: `a value of Ironic.spec.networking.dhcp.${field} ${fault}`,
		where: site.locate({ kind: "Ironic", namespace: metadata.namespace, name: metadata.name }, [
			"spec",
			"networking",
			"dhcp",
			field,
		]),
		seen: JSON.stringify(value),
		fix: "write it as dnsmasq(8) describes dhcp-host and dhcp-ignore: 52:54:00:ab:00:01,172.22.0.20,cp-0",
	});
}
