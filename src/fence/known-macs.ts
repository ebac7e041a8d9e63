import type { Site } from "../resources/site.ts";
import { isMac, serverMacs } from "../stack/server-macs.ts";

export interface KnownMacs {
	/** Lower case, sorted. */
	readonly macs: readonly string[];
	/** Entries of `dhcp.hosts` that name no MAC address: the fence cannot tell their packets. */
	readonly unmatched: readonly string[];
}

/**
 * Whose DHCP and TFTP requests a closed fence lets in: the site's servers, those of raw `dhcp.hosts` entries, and
 * `more`, which was learnt from the servers themselves.
 */
export function knownMacs(site: Site, more: Iterable<string>): KnownMacs {
	const macs = new Set(serverMacs(site));
	for (const mac of more) if (isMac(mac)) macs.add(mac.toLowerCase());
	const unmatched: string[] = [];
	for (const entry of site.ironic.spec.networking.dhcp?.hosts ?? []) {
		const found = entry
			.split(",")
			.map((part) => part.trim().replace(/^(?:0?1|ether)-/i, ""))
			.filter(isMac);
		for (const mac of found) macs.add(mac.toLowerCase());
		if (found.length === 0) unmatched.push(entry);
	}
	return { macs: [...macs].sort(), unmatched };
}

/** As a number for nftables: a client's hardware address inside a DHCPv4 packet has no type of its own there. */
export function macNumber(mac: string): string {
	return `0x${mac.replaceAll(":", "")}`;
}

/** The reverse: nftables tells such elements as decimal numbers. */
export function macOfNumber(value: number): string {
	return (value.toString(16).padStart(12, "0").match(/../g) ?? []).join(":");
}
