import { Address4, Address6 } from "ip-address";

/** An IP address in canonical text form (`172.22.0.1`, `fd00::1`), with its number for comparing. */
export interface IpAddress {
	readonly family: 4 | 6;
	readonly text: string;
	readonly value: bigint;
}

/** A network in CIDR form. `address` is what was written before the slash; `first` and `last` bound the network. */
export interface Cidr {
	readonly family: 4 | 6;
	/** Canonical: the network's first address and the prefix length. */
	readonly text: string;
	readonly address: IpAddress;
	readonly prefix: number;
	readonly first: IpAddress;
	readonly last: IpAddress;
}

/** Both ends belong to the range. */
export interface IpRange {
	readonly family: 4 | 6;
	readonly begin: IpAddress;
	readonly end: IpAddress;
}

const BITS = { 4: 32, 6: 128 } as const;

/** No leading zeros: `010` is ten to some programs and eight to others (Go's netip refuses them too). */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^[0-9a-f:]*:[0-9a-f:]*(?:\d+\.\d+\.\d+\.\d+)?$/i;

/**
 * Throws a `RangeError` that says what was wrong. A zone (`fe80::1%eth0`) is refused: it means nothing to the other
 * machines that the address is told to.
 */
export function parseIpAddress(text: string): IpAddress {
	if (IPV4.test(text)) {
		const address = new Address4(text);
		return { family: 4, text: address.correctForm(), value: address.bigInt() };
	}
	if (text.includes("%"))
		throw new RangeError(`${JSON.stringify(text)} has a zone, which holds on one machine only`);
	if (!IPV6.test(text) || !Address6.isValid(text))
		throw new RangeError(`${JSON.stringify(text)} is not an IP address such as 172.22.0.1 or fd00::1`);
	const address = new Address6(text);
	return { family: 6, text: address.correctForm(), value: address.bigInt() };
}

/** `172.22.0.0/24`; host bits may be set. Throws a `RangeError` that says what was wrong. */
export function parseCidr(text: string): Cidr {
	const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
	if (!match?.[1] || !match[2])
		throw new RangeError(`${JSON.stringify(text)} is not a network such as 172.22.0.0/24`);
	const address = parseIpAddress(match[1]);
	const prefix = Number(match[2]);
	const bits = BITS[address.family];
	if (prefix > bits) throw new RangeError(`${JSON.stringify(text)} has a prefix longer than ${bits} bits`);
	const hostMask = (1n << BigInt(bits - prefix)) - 1n;
	const first = ipAddressOf(address.family, address.value & ~hostMask);
	const last = ipAddressOf(address.family, address.value | hostMask);
	return { family: address.family, text: `${first.text}/${prefix}`, address, prefix, first, last };
}

/** Throws a `RangeError` if an end is no address, the families differ, or the range is reversed. */
export function parseIpRange(begin: string, end: string): IpRange {
	const first = parseIpAddress(begin);
	const last = parseIpAddress(end);
	if (first.family !== last.family)
		throw new RangeError(`${begin} and ${end} are of different address families`);
	if (first.value > last.value) throw new RangeError(`${begin} comes after ${end}`);
	return { family: first.family, begin: first, end: last };
}

export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
	return cidr.family === ip.family && ip.value >= cidr.first.value && ip.value <= cidr.last.value;
}

export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
	return a.family === b.family && a.first.value <= b.last.value && b.first.value <= a.last.value;
}

export function rangeContains(range: IpRange, ip: IpAddress): boolean {
	return range.family === ip.family && ip.value >= range.begin.value && ip.value <= range.end.value;
}

export function rangesOverlap(a: IpRange, b: IpRange): boolean {
	return a.family === b.family && a.begin.value <= b.end.value && b.begin.value <= a.end.value;
}

/** How many addresses a range has. */
export function rangeSize(range: IpRange): bigint {
	return range.end.value - range.begin.value + 1n;
}

/** `255.255.255.0`; IPv4 only, `undefined` for IPv6, which has no such notation. */
export function netmaskOf(cidr: Cidr): string | undefined {
	if (cidr.family === 6) return undefined;
	return ipAddressOf(4, (0xffffffffn << BigInt(32 - cidr.prefix)) & 0xffffffffn).text;
}

/** A name or address as it stands in a URL or in httpd's `Listen`: IPv6 in brackets. */
export function urlHost(host: string): string {
	return host.includes(":") ? `[${host}]` : host;
}

/** The address of a number; text in canonical form. */
export function ipAddressOf(family: 4 | 6, value: bigint): IpAddress {
	const address = family === 4 ? Address4.fromBigInt(value) : Address6.fromBigInt(value);
	return { family, text: address.correctForm(), value };
}
