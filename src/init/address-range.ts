import { type Cidr, cidrContains, type IpAddress, parseIpAddress } from "../resources/ip.ts";

export interface AddressRange {
	readonly begin: string;
	readonly end: string;
}

/** How many addresses are proposed where there is room. */
const USUAL = 100;

/**
 * Room for servers in an IPv4 network, away from every address that is known to be taken: the largest gap between
 * them, from .100 on where that lies in it, as people expect. `undefined` if nothing is free.
 */
export function freeRange(network: Cidr, taken: readonly string[]): AddressRange | undefined {
	const gap = largestGap(network, taken);
	if (gap === undefined) return undefined;
	const hundred = network.first.value + 100n;
	const begin = gap.first < hundred && gap.last >= hundred + 9n ? hundred : laterHalf(gap);
	const end = begin + BigInt(USUAL) - 1n < gap.last ? begin + BigInt(USUAL) - 1n : gap.last;
	return { begin: addressText(begin), end: addressText(end) };
}

/** The `count` first addresses of a range, or fewer. */
export function addressesFrom({ begin, end }: AddressRange, count: number): readonly string[] {
	const [first, last] = [parseIpAddress(begin).value, parseIpAddress(end).value];
	const texts: string[] = [];
	for (let value = first; value <= last && texts.length < count; value++) texts.push(addressText(value));
	return texts;
}

interface Gap {
	readonly first: bigint;
	readonly last: bigint;
}

function largestGap(network: Cidr, taken: readonly string[]): Gap | undefined {
	if (network.family !== 4 || network.prefix > 30) return undefined;
	const used = taken
		.map((text) => parseIpAddress(text))
		.filter((ip: IpAddress) => cidrContains(network, ip))
		.map(({ value }) => value)
		.toSorted((a, b) => (a < b ? -1 : 1));
	// network and broadcast address bound the search
	const bounds = [network.first.value, ...used, network.last.value];
	let best: Gap | undefined;
	for (const [index, after] of bounds.slice(1).entries()) {
		const gap = { first: (bounds[index] ?? 0n) + 1n, last: after - 1n };
		if (gap.last >= gap.first && (best === undefined || sizeOf(gap) > sizeOf(best))) best = gap;
	}
	return best;
}

/** Small networks: the low addresses are left to routers and people. */
function laterHalf(gap: Gap): bigint {
	return gap.first + sizeOf(gap) / 2n;
}

function sizeOf({ first, last }: Gap): bigint {
	return last - first + 1n;
}

function addressText(value: bigint): string {
	return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
}
