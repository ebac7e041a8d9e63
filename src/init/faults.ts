import { BmcAddressError, parseBmcAddress } from "../resources/bmc-address.ts";
import { parseChecksum } from "../resources/checksum.ts";
import {
	type Cidr,
	cidrContains,
	parseCidr,
	parseIpAddress,
	parseIpRange,
	rangeContains,
} from "../resources/ip.ts";
import { isNotAServer, parseMacAddress } from "../resources/mac-address.ts";

/** Says what is wrong with a text, as the rest of a sentence; `undefined` if nothing is. Cheap enough for each key. */
export type FaultOf = (text: string) => string | undefined;

export const nameFault: FaultOf = (text) =>
	/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(text)
		? undefined
		: "lower-case letters, digits and dashes, at most 40, no dash at either end";

/** For hosts: as `nameFault`, not taken yet, and no UUID (Ironic would take it for a node's id). */
export function hostNameFault(taken: readonly string[]): FaultOf {
	return (text) => {
		if (taken.includes(text)) return "is another host's name already";
		if (/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/.test(text)) return "is a UUID, which is no name";
		return nameFault(text);
	};
}

/** An address of this machine with its prefix length, as it is given to an interface. */
export const interfaceAddressFault: FaultOf = (text) =>
	attempt(() => {
		const cidr = parseCidr(text);
		if (cidr.family !== 4) return "an IPv4 address is needed here";
		if (cidr.prefix > 30) return "leaves no room for servers; /24 is usual";
		if (cidr.prefix < 8) return "is far too large a network; /24 is usual";
		const isEdge = cidr.address.value === cidr.first.value || cidr.address.value === cidr.last.value;
		return isEdge ? "is the network's own first or last address; .1 is usual" : undefined;
	});

/** An address for a server: in the network, and nobody's. */
export function serverAddressFault(network: Cidr, taken: readonly string[]): FaultOf {
	return (text) =>
		attempt(() => {
			const ip = parseIpAddress(text);
			if (!cidrContains(network, ip)) return `is not in ${network.text}`;
			if (ip.value === network.first.value || ip.value === network.last.value)
				return `is the network's own first or last address`;
			return taken.includes(ip.text) ? "is taken already" : undefined;
		});
}

/** `172.22.0.100-172.22.0.150`. */
export function rangeFault(network: Cidr, taken: readonly string[], atLeast: number): FaultOf {
	return (text) =>
		attempt(() => {
			const { begin, end } = splitRange(text);
			const range = parseIpRange(begin, end);
			for (const each of [begin, end]) {
				const fault = serverAddressFault(network, [])(each);
				if (fault !== undefined) return `${each} ${fault}`;
			}
			const inside = taken.find((each) => rangeContains(range, parseIpAddress(each)));
			if (inside !== undefined) return `contains ${inside}, which is taken`;
			const size = range.end.value - range.begin.value + 1n;
			return size < BigInt(atLeast) ? `has ${size} addresses for ${atLeast} hosts` : undefined;
		});
}

export function splitRange(text: string): { readonly begin: string; readonly end: string } {
	const match = /^\s*([0-9a-f.:]+)\s*(?:-|–|to)\s*([0-9a-f.:]+)\s*$/i.exec(text);
	if (!match?.[1] || !match[2]) throw new RangeError("is no range such as 172.22.0.100-172.22.0.150");
	return { begin: match[1], end: match[2] };
}

/** A card's address, in any usual spelling, that no other host has. */
export function macFault(taken: readonly string[]): FaultOf {
	return (text) =>
		attempt(() => {
			const mac = parseMacAddress(text);
			if (isNotAServer(mac)) return "is a group address or zero, which no card has";
			return taken.includes(mac) ? "is another host's already" : undefined;
		});
}

/** What `bmc probe` takes: a bare address is fine. */
export const bmcFault: FaultOf = (text) => {
	const trimmed = text.trim();
	if (trimmed === "") return "is empty";
	try {
		const isBareV6 = attempt(() => (parseIpAddress(trimmed).family === 6 ? undefined : "v4")) === undefined;
		const address = isBareV6 ? `[${trimmed}]` : trimmed;
		const scheme = /^https?:\/\//i.test(address) ? "redfish+" : address.includes("://") ? "" : "redfish://";
		parseBmcAddress(scheme + address);
		return undefined;
	} catch (error) {
		return error instanceof BmcAddressError ? error.message : "is not an address";
	}
};

export const pathFault: FaultOf = (text) =>
	text.startsWith("/") && !text.includes("\0")
		? undefined
		: "must be an absolute path, such as /srv/ipa/kernel";

export const imageUrlFault: FaultOf = (text) => {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.host === "")
		return "must be a URL with http:// or https://";
	return url.username !== "" || url.password !== ""
		? "carries a user name or password, which would be readable in the manifest"
		: undefined;
};

export const checksumFault: FaultOf = (text) =>
	text === ""
		? "is empty"
		: attempt(() => {
				parseChecksum({ checksum: text, checksumType: "auto" });
				return undefined;
			});

/** The value types throw what they do not take, and say why. */
function attempt(look: () => string | undefined): string | undefined {
	try {
		return look();
	} catch (error) {
		return (error as Error).message;
	}
}
