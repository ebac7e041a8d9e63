import type { NftObject } from "./listing.ts";

/** What an engine changes about a machine's network, as it was before. Kept in the site's state. */
export interface Before {
	readonly formatVersion: 1;
	/** Interfaces that had an address. */
	readonly links: readonly string[];
	/** Kernel settings by their path below `/proc/sys`. */
	readonly switches: Readonly<Record<string, string>>;
	/** Everybody's nftables chains, as `FAMILY TABLE CHAIN`. */
	readonly chains: readonly string[];
}

const forwarding = { v4: "net/ipv4/ip_forward", v6: "net/ipv6/conf/all/forwarding" } as const;

/**
 * What an engine switches, in the order in which it must be put back: the kernel's switch for a whole family sets
 * those of its interfaces, and for IPv4 whether redirects are accepted (`inet_forward_change` in its devinet.c).
 */
export function switchesOf(links: readonly string[]): readonly string[] {
	const each = ["all", "default", ...links];
	return [
		forwarding.v4,
		forwarding.v6,
		"net/ipv4/conf/all/accept_redirects",
		...each.map((name) => `net/ipv4/conf/${name}/forwarding`),
		...each.slice(1).map((name) => `net/ipv6/conf/${name}/forwarding`),
		"net/bridge/bridge-nf-call-iptables",
		"net/bridge/bridge-nf-call-ip6tables",
	];
}

/** Between which interfaces the machine did not route, and for which family; it must not begin to. */
export function apartIn({ links, switches }: Before): {
	readonly links: readonly string[];
	readonly v4: boolean;
	readonly v6: boolean;
} {
	return { links, v4: switches[forwarding.v4] !== "1", v6: switches[forwarding.v6] !== "1" };
}

/** Names of all chains, as in {@link Before}. */
export function chainNames(ruleset: readonly NftObject[]): readonly string[] {
	return ruleset
		.flatMap(({ chain }) =>
			chain === undefined ? [] : [`${String(chain.family)} ${String(chain.table)} ${String(chain.name)}`],
		)
		.sort();
}
