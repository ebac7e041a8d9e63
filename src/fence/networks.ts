import { type Cidr, cidrContains, parseCidr, parseIpAddress } from "../resources/ip.ts";

/** IPv4 and IPv6 networks as nftables takes them in a set: none lies within another. */
export interface Networks {
	readonly v4: readonly string[];
	readonly v6: readonly string[];
}

/** Networks (`172.22.0.1/24`) and single addresses; texts that are neither are left out. */
export function networksOf(texts: Iterable<string>): Networks {
	const all = [...texts].map(networkOf).filter((cidr) => cidr !== undefined);
	const outer = all.filter((cidr, index) => !all.some((other, at) => covers(other, at, cidr, index)));
	const of = (family: 4 | 6) =>
		outer
			.filter((cidr) => cidr.family === family)
			.map(({ text }) => text)
			.sort();
	return { v4: of(4), v6: of(6) };
}

/** A network or an address as a network; `undefined` for anything else, such as a host name. */
export function networkOf(text: string): Cidr | undefined {
	try {
		if (text.includes("/")) return parseCidr(text);
		const { family } = parseIpAddress(text);
		return parseCidr(`${text}/${family === 4 ? 32 : 128}`);
	} catch {
		return undefined;
	}
}

/** Two networks are either apart or one lies in the other; of two equal ones the first stays. */
function covers(other: Cidr, at: number, cidr: Cidr, index: number): boolean {
	if (at === index || other.family !== cidr.family) return false;
	if (other.text === cidr.text) return at < index;
	return other.prefix < cidr.prefix && cidrContains(other, cidr.first);
}
