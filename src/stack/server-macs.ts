import type { Site } from "../resources/site.ts";

/**
 * Every MAC address that the site knows of its servers, in lower case. Not only those they boot from: a deploy ramdisk
 * asks for an address on every port of the server.
 */
export function serverMacs(site: Site): ReadonlySet<string> {
	const macs = new Set<string>();
	for (const { spec } of site.hosts) {
		if (spec.bootMACAddress !== undefined) macs.add(spec.bootMACAddress);
		for (const { macAddress } of spec.networkInterfaces ?? [])
			if (macAddress !== undefined) macs.add(macAddress);
	}
	for (const data of site.hardwareData)
		for (const { mac } of data.spec.hardware?.nics ?? [])
			if (mac !== undefined && isMac(mac)) macs.add(mac.toLowerCase());
	return macs;
}

/** InfiniBand addresses are longer and have no DHCP identity that dnsmasq could match. */
export function isMac(text: string): boolean {
	return /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text);
}
