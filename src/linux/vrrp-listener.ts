import { ipAddressOf } from "../resources/ip.ts";

/** Somebody who answers for addresses that several machines share, as it announced itself (VRRP, RFC 9568). */
export interface VirtualRouter {
	readonly address: string;
	/** 1-255, one a virtual router and network. */
	readonly routerId: number;
	/** What it answers for: the first four of IPv4, the first two of IPv6. */
	readonly virtualAddresses: readonly string[];
}

/** An announcement's fields within the packet, in bits: RFC 9568, section 5.1, and RFC 3768 for version 2. */
const [ROUTER_ID, COUNT, ADDRESSES] = ["@th,8,8", "@th,24,8", 64];

const families = [
	{ family: 4, set: "heard4", source: "ip saddr", match: "ip protocol 112", bits: 32, slots: 4 },
	{ family: 6, set: "heard6", source: "ip6 saddr", match: "ip6 nexthdr 112", bits: 128, slots: 2 },
] as const;

/** Before whatever a fence or another firewall drops. */
const PRIORITY = -450;

/** nft's commands for a table that notes who announces what on an interface, and touches no packet. */
export function vrrpListener(table: string, link: string): readonly string[] {
	return [
		`add table inet ${table} { flags owner; }`,
		`add chain inet ${table} heard { type filter hook prerouting priority ${PRIORITY}; policy accept; }`,
		...families.flatMap(({ set, source, match, bits, slots }) => [
			`add set inet ${table} ${set} { typeof ${elementAt(source, bits, 0)}; size 1024; flags dynamic; }`,
			...Array.from(
				{ length: slots },
				(_, slot) =>
					`add rule inet ${table} heard iifname "${link}" ${match} ${COUNT} > ${slot} ` +
					`add @${set} { ${elementAt(source, bits, slot)} }`,
			),
		]),
	];
}

function elementAt(source: string, bits: number, slot: number): string {
	return `${source} . ${ROUTER_ID} . @th,${ADDRESSES + slot * bits},${bits}`;
}

/** The sets of that table. */
export const heardSets: readonly string[] = families.map(({ set }) => set);

/** What they have noted, from their listings. */
export function vrrpRouters(
	listing: readonly { readonly set?: { readonly name?: unknown; readonly elem?: unknown } }[],
): readonly VirtualRouter[] {
	const routers = new Map<string, VirtualRouter>();
	for (const { family, set } of families) {
		const elements = listing.find((object) => object.set?.name === set)?.set?.elem ?? [];
		for (const { concat } of elements as readonly { concat: Heard }[]) {
			const [address, routerId, value] = concat;
			const key = `${address} ${routerId}`;
			const known = routers.get(key)?.virtualAddresses ?? [];
			const virtualAddresses = [...known, ipAddressOf(family, BigInt(value)).text];
			routers.set(key, { address, routerId, virtualAddresses });
		}
	}
	return [...routers.values()];
}

type Heard = readonly [address: string, routerId: number, virtualAddress: number | string];
