import { type UnknownServer, unknownServers } from "../fence/observations.ts";
import { fenceTable } from "../fence/plan.ts";
import { cardVendors } from "../linux/card-vendors.ts";
import { listTable } from "../linux/nft.ts";
import type { StateRoots } from "../state/layout.ts";
import { chooseSite } from "./session.ts";

/** A server that asked for an address or a boot file and that the site does not know. */
export interface DiscoveredServer {
	readonly mac: string;
	/** Who made its network card, where this machine has a list of that. */
	readonly vendor: string | undefined;
	readonly firmware: string | undefined;
	readonly protocols: readonly UnknownServer["protocol"][];
	/** ISO 8601, UTC; at most a day ago. */
	readonly firstSeen: string;
	readonly lastSeen: string;
}

/** Unknown servers of the last hour, the latest first. None while the site has no fence. */
export async function discoveredServers(
	wanted: string | undefined,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<{ readonly site: string; readonly servers: readonly DiscoveredServer[] }> {
	const site = await chooseSite(wanted, roots);
	const seen = unknownServers((await listTable(fenceTable(site), signal)) ?? []);
	const vendors = await cardVendors(seen.map(({ mac }) => mac));
	return { site, servers: joinByMac(seen, vendors, Date.now()) };
}

/** One entry for each server, whatever it asked for. Exported for its test; `now` is milliseconds. */
export function joinByMac(
	seen: readonly UnknownServer[],
	vendors: ReadonlyMap<string, string>,
	now: number,
): readonly DiscoveredServer[] {
	const time = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();
	return [...new Set(seen.map(({ mac }) => mac))].map((mac) => {
		const its = seen.filter((each) => each.mac === mac);
		return {
			mac,
			vendor: vendors.get(mac),
			firmware: its.find(({ firmware }) => firmware !== undefined)?.firmware,
			protocols: its.map(({ protocol }) => protocol).sort(),
			firstSeen: time(Math.max(...its.map(({ firstSecondsAgo }) => firstSecondsAgo))),
			lastSeen: time(Math.min(...its.map(({ secondsAgo }) => secondsAgo))),
		};
	});
}
