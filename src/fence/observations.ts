import { macOfNumber } from "./known-macs.ts";
import type { NftObject } from "./listing.ts";
import { type Refusal, refusalNames } from "./refusals.ts";
import { unknownSeconds } from "./sets.ts";

/** A server that the site does not know and that asked for an address or a boot file. */
export interface UnknownServer {
	readonly mac: string;
	readonly protocol: "DHCPv4" | "DHCPv6 or TFTP";
	/** Seconds since it asked last. */
	readonly secondsAgo: number;
}

/** Packets refused since the fence was put up, by reason; reasons without any are left out. */
export function refusedPackets(listing: readonly NftObject[]): Readonly<Partial<Record<Refusal, number>>> {
	const counted = listing.flatMap(({ counter }) => {
		const name = refusalNames.find((refusal) => refusal === counter?.name);
		return name === undefined || !counter?.packets ? [] : [[name, Number(counter.packets)] as const];
	});
	return Object.fromEntries(counted);
}

/** Unknown servers of the last hour, the latest first. */
export function unknownServers(listing: readonly NftObject[]): readonly UnknownServer[] {
	return listing
		.flatMap(({ set }): readonly UnknownServer[] => {
			const protocol = { unknown_clients: "DHCPv4", unknown_macs: "DHCPv6 or TFTP" }[String(set?.name)];
			return ((set?.elem ?? []) as unknown[]).flatMap((element) => {
				const timed = (element as { elem?: { val?: unknown; expires?: number } }).elem;
				const mac = typeof timed?.val === "number" ? macOfNumber(timed.val) : String(timed?.val);
				const secondsAgo = unknownSeconds - (timed?.expires ?? unknownSeconds);
				return protocol === undefined || timed === undefined
					? []
					: [{ mac, protocol: protocol as UnknownServer["protocol"], secondsAgo }];
			});
		})
		.sort((a, b) => a.secondsAgo - b.secondsAgo);
}
