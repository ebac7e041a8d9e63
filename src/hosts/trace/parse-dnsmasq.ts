import type { LineParser, TraceKind } from "./event.ts";

const PREFIX = /^dnsmasq-(dhcp|tftp)(?:\[\d+\])?: (?:\d+ )?(.*)$/;
const MAC = "[0-9a-f]{2}(?::[0-9a-f]{2}){5}";
const DHCP = new RegExp(
	`^DHCP(DISCOVER|OFFER|REQUEST|ACK|NAK)\\([^)]+\\)(?: ([0-9.]+))? (${MAC})(?: (.*))?$`,
	"i",
);

/** A line of dnsmasq with `log-dhcp` (rfc2131.c, tftp.c of dnsmasq 2.90). */
export const parseDnsmasq: LineParser = (line) => {
	const [, part, words = ""] = PREFIX.exec(line) ?? [];
	if (part === "dhcp") return dhcp(words.trim());
	return part === "tftp" ? tftp(words.trim()) : undefined;
};

/** A proxy's answer to a server that has its address from elsewhere. */
const PROXY = new RegExp(`^PXE\\([^)]+\\) (?:([0-9.]+) )?(${MAC})(?: (.*))?$`, "i");

const KINDS: Readonly<Record<string, readonly [TraceKind, (address: string) => string]>> = {
	DISCOVER: ["dhcp-discover", () => "asks for an address"],
	OFFER: ["dhcp-offer", (address) => `offered ${address}`],
	REQUEST: ["dhcp-request", (address) => `takes ${address}`],
	ACK: ["dhcp-ack", (address) => `has ${address}`],
	NAK: ["dhcp-refused", (address) => `may not have ${address}`],
};

function dhcp(words: string): ReturnType<LineParser> {
	const proxy = PROXY.exec(words);
	if (proxy !== null)
		return { kind: "dhcp-offer", mac: proxy[2]?.toLowerCase(), address: proxy[1], text: "told what to load" };
	const [, type = "", address = "", mac = "", rest = ""] = DHCP.exec(words) ?? [];
	const known = KINDS[type.toUpperCase()];
	if (known === undefined) return undefined;
	const [kind, text] = known;
	const lowered = mac.toLowerCase();
	if (/ignored|no address available|not authori[sz]ed|address in use/i.test(rest))
		return { kind: "dhcp-refused", mac: lowered, text: `gets no address: ${rest}` };
	const theirs = address === "" ? {} : { address };
	return { kind, mac: lowered, ...theirs, text: text(address) };
}

function tftp(words: string): ReturnType<LineParser> {
	const [, file = "", address] = /^sent (\S+) to ([0-9.]+)$/.exec(words) ?? [];
	if (address !== undefined) return { kind: "loader", address, text: `loader ${nameOf(file)} by TFTP` };
	const [, what, failed, to] =
		/^(failed sending|file) (\S+?)(?: not found)? (?:to|for) ([0-9.]+)$/.exec(words) ?? [];
	if (to !== undefined)
		return {
			kind: "loader-failed",
			address: to,
			text: `loader ${nameOf(failed ?? "")} by TFTP: ${what === "file" ? "there is no such file" : "not received"}`,
		};
	const [, reason, from] = /^error \d+ (.*?) ?received from ([0-9.]+)$/.exec(words) ?? [];
	// firmware asks for the size first, and ends that transfer with an error; the file follows
	return from === undefined
		? undefined
		: { kind: "loader-failed", address: from, text: `TFTP ended: ${reason}` };
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
