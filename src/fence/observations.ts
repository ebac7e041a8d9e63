import { macOfNumber } from "./known-macs.ts";
import type { NftObject } from "./listing.ts";
import { type Refusal, refusalNames } from "./refusals.ts";
import { sinceSeconds, unknownSeconds } from "./sets.ts";

/** A server that the site does not know and that asked for an address or a boot file. */
export interface UnknownServer {
	readonly mac: string;
	readonly protocol: "DHCPv4" | "DHCPv6 or TFTP";
	/** Seconds since it asked last. */
	readonly secondsAgo: number;
	/** Seconds since it asked first, at most a day. */
	readonly firstSecondsAgo: number;
	/** What its firmware is, where it told (RFC 4578 and IANA's list of processor architectures). */
	readonly firmware: string | undefined;
}

/** Somebody else who serves the provisioning network. */
export interface HeardServer {
	readonly kind: "DHCP server" | "router";
	readonly mac: string;
	readonly address: string;
	/** Seconds since it was heard last. */
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

/** Servers that asked during the last hour and are not known by now, the latest first. */
export function unknownServers(listing: readonly NftObject[]): readonly UnknownServer[] {
	const firmware = new Map(
		elementsOf(listing, "unknown_firmware", unknownSeconds).map(({ values: [client, code] }) => [
			macOf(client),
			architectures[Number(code)] ?? `architecture ${String(code)}`,
		]),
	);
	const seen = (set: string, protocol: UnknownServer["protocol"]) => {
		const since = new Map(
			elementsOf(listing, `${set}_since`, sinceSeconds).map(({ secondsAgo, values: [client] }) => [
				macOf(client),
				secondsAgo,
			]),
		);
		return elementsOf(listing, set, unknownSeconds).map(({ secondsAgo, values: [client] }): UnknownServer => {
			const mac = macOf(client);
			const firstSecondsAgo = since.get(mac) ?? secondsAgo;
			return {
				mac,
				protocol,
				secondsAgo,
				firstSecondsAgo,
				firmware: protocol === "DHCPv4" ? firmware.get(mac) : undefined,
			};
		});
	};
	const known = listing.find(({ set }) => set?.name === "known_macs")?.set?.elem as unknown[] | undefined;
	return [...seen("unknown_clients", "DHCPv4"), ...seen("unknown_macs", "DHCPv6 or TFTP")]
		.filter(({ mac }) => known?.includes(mac) !== true)
		.sort((a, b) => a.secondsAgo - b.secondsAgo);
}

/** Other DHCP servers and routers that the provisioning interface heard during the last hour, the latest first. */
export function heardServers(listing: readonly NftObject[]): readonly HeardServer[] {
	const heard = (set: string, kind: HeardServer["kind"]) =>
		elementsOf(listing, set, unknownSeconds).map(({ secondsAgo, values: [mac, address] }) => ({
			...{ kind, mac: String(mac), address: String(address), secondsAgo },
		}));
	return [...heard("dhcp_servers", "DHCP server"), ...heard("routers", "router")].sort(
		(a, b) => a.secondsAgo - b.secondsAgo,
	);
}

/** https://www.iana.org/assignments/dhcpv6-parameters, "Processor Architecture Types" */
const architectures: Readonly<Record<number, string>> = {
	0: "BIOS",
	6: "UEFI x86 (32 bit)",
	7: "UEFI x86-64",
	9: "UEFI x86-64",
	10: "UEFI ARM (32 bit)",
	11: "UEFI ARM64",
	15: "UEFI x86 (32 bit), HTTP boot",
	16: "UEFI x86-64, HTTP boot",
	18: "UEFI ARM (32 bit), HTTP boot",
	19: "UEFI ARM64, HTTP boot",
};

/** What is in a set whose elements time out, each with the time since it was put there. */
function elementsOf(
	listing: readonly NftObject[],
	name: string,
	timeout: number,
): readonly { readonly values: readonly unknown[]; readonly secondsAgo: number }[] {
	const set = listing.find((object) => object.set?.name === name)?.set;
	return ((set?.elem ?? []) as unknown[]).flatMap((element) => {
		const timed = (element as { elem?: { val?: unknown; expires?: number } }).elem;
		if (timed === undefined) return [];
		const { val } = timed;
		// strings have a `concat`, too
		const values = typeof val === "object" ? (val as { concat: readonly unknown[] }).concat : [val];
		return [{ values, secondsAgo: timeout - (timed.expires ?? timeout) }];
	});
}

/** A client's hardware address inside a packet is a number there. */
function macOf(value: unknown): string {
	return typeof value === "number" ? macOfNumber(value) : String(value);
}
