import { parseIpAddress } from "../resources/ip.ts";

/** An answer of a DHCP server to our question (RFC 2131, RFC 2132). */
export interface DhcpOffer {
	readonly transaction: number;
	/** Option 54; some servers leave it out, then the sender's address is all there is. */
	readonly server: string | undefined;
	/** What it would give us; `undefined` for a proxy that only tells what to boot (PXE §2.2.3). */
	readonly offered: string | undefined;
	readonly router: string | undefined;
	/** It tells clients what to boot. */
	readonly bootFile: string | undefined;
}

const COOKIE = 0x63825363;
const OPTIONS_AT = 240;
const [REQUEST, REPLY, ETHERNET] = [1, 2, 1];
const [MESSAGE_TYPE, DISCOVER, OFFER] = [53, 1, 2];

/**
 * A DHCPDISCOVER. A server answers with what it would give and keeps it back for a minute at most; nothing is leased
 * without the request that would follow, and which is never sent. The answer is asked for as a broadcast, because no
 * address is there to send it to. `pxe` asks as a server's firmware does, which a boot-only (proxy) server needs.
 */
export function dhcpDiscover(
	transaction: number,
	mac: string,
	{ pxe = false }: { readonly pxe?: boolean } = {},
): Buffer {
	const packet = Buffer.alloc(OPTIONS_AT);
	packet.writeUInt8(REQUEST, 0);
	packet.writeUInt8(ETHERNET, 1);
	packet.writeUInt8(6, 2);
	packet.writeUInt32BE(transaction, 4);
	packet.writeUInt16BE(0x8000, 10); // answer by broadcast
	Buffer.from(mac.replaceAll(":", ""), "hex").copy(packet, 28);
	packet.writeUInt32BE(COOKIE, 236);
	const wanted = [1, 3, 6, 43, 51, 54, 66, 67];
	const options = [MESSAGE_TYPE, 1, DISCOVER, 55, wanted.length, ...wanted];
	const vendor = Buffer.from("PXEClient:Arch:00007:UNDI:003016");
	const boot = pxe ? [93, 2, 0, 7, 94, 3, 1, 3, 16, 60, vendor.length, ...vendor] : [];
	const body = Buffer.concat([packet, Buffer.from([...options, ...boot, 255])]);
	// BOOTP relays drop anything shorter
	return Buffer.concat([body, Buffer.alloc(Math.max(0, 300 - body.length))]);
}

/** Reads a packet; `undefined` unless it is an offer. Anybody can send us anything. */
export function parseDhcpOffer(packet: Buffer): DhcpOffer | undefined {
	if (packet.length < OPTIONS_AT || packet[0] !== REPLY || packet.readUInt32BE(236) !== COOKIE)
		return undefined;
	const options = readOptions(packet.subarray(OPTIONS_AT));
	if (options.get(MESSAGE_TYPE)?.[0] !== OFFER) return undefined;
	const offered = addressIn(packet.subarray(16, 20));
	return {
		transaction: packet.readUInt32BE(4),
		server: addressIn(options.get(54)),
		offered: offered === "0.0.0.0" ? undefined : offered,
		router: addressIn(options.get(3)),
		bootFile: textIn(options.get(67)) ?? textIn(packet.subarray(108, 236)),
	};
}

function readOptions(bytes: Buffer): ReadonlyMap<number, Buffer> {
	const options = new Map<number, Buffer>();
	for (let at = 0; at < bytes.length; ) {
		const code = bytes[at] ?? 255;
		if (code === 255) break;
		const length = code === 0 ? -1 : (bytes[at + 1] ?? 0);
		if (code !== 0) options.set(code, bytes.subarray(at + 2, at + 2 + length));
		at += 2 + length;
	}
	return options;
}

function addressIn(bytes: Buffer | undefined): string | undefined {
	if (bytes === undefined || bytes.length < 4) return undefined;
	return parseIpAddress([...bytes.subarray(0, 4)].join(".")).text;
}

/** What a server wants booted can be anything; only what can be printed is. */
function textIn(bytes: Buffer | undefined): string | undefined {
	const text = (bytes ?? Buffer.alloc(0)).toString("latin1").split("\0")[0] ?? "";
	return text === "" ? undefined : text.replace(/[^\x20-\x7e]/g, "?");
}
