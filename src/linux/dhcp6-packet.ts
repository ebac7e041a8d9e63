import { parseIpAddress } from "../resources/ip.ts";

/** An answer of a DHCPv6 server to our question (RFC 8415). */
export interface Dhcp6Advertisement {
	/** 24 bits. */
	readonly transaction: number;
	/** From the server's identifier, where that is made of a MAC address (DUID-LLT, DUID-LL). */
	readonly serverMac: string | undefined;
	/** What it would give us; `undefined` for one that has nothing for us. */
	readonly offered: string | undefined;
}

const [SOLICIT, ADVERTISE] = [1, 2];
const [CLIENT_ID, SERVER_ID, ADDRESSES, ADDRESS, WANTED, ELAPSED] = [1, 2, 3, 5, 6, 8];
const BOOT_FILE_URL = 59;
const ETHERNET = 1;

/** A SOLICIT: servers tell what they would give, and keep nothing back for it. Nothing is requested afterwards. */
export function dhcp6Solicit(transaction: number, mac: string): Buffer {
	const hardware = Buffer.from(mac.replaceAll(":", ""), "hex");
	// DUID-LL
	const client = Buffer.concat([Buffer.from([0, 3, 0, ETHERNET]), hardware]);
	// the interface's own number and no wishes about times
	const association = Buffer.concat([hardware.subarray(2), Buffer.alloc(8)]);
	const head = Buffer.from([SOLICIT, transaction >> 16, (transaction >> 8) & 0xff, transaction & 0xff]);
	return Buffer.concat([
		head,
		option(CLIENT_ID, client),
		option(ADDRESSES, association),
		option(WANTED, Buffer.from([0, BOOT_FILE_URL])),
		option(ELAPSED, Buffer.alloc(2)),
	]);
}

/** Reads a packet; `undefined` unless it is an advertisement. Anybody can send us anything. */
export function parseDhcp6Advertisement(packet: Buffer): Dhcp6Advertisement | undefined {
	if (packet.length < 4 || packet[0] !== ADVERTISE) return undefined;
	const options = readOptions(packet.subarray(4));
	const server = options.get(SERVER_ID);
	if (server === undefined) return undefined;
	const address = readOptions((options.get(ADDRESSES) ?? Buffer.alloc(0)).subarray(12)).get(ADDRESS);
	return {
		transaction: packet.readUIntBE(1, 3),
		serverMac: macIn(server),
		offered: address !== undefined && address.length >= 16 ? addressIn(address) : undefined,
	};
}

function option(code: number, body: Buffer): Buffer {
	const head = Buffer.alloc(4);
	head.writeUInt16BE(code, 0);
	head.writeUInt16BE(body.length, 2);
	return Buffer.concat([head, body]);
}

function readOptions(bytes: Buffer): ReadonlyMap<number, Buffer> {
	const options = new Map<number, Buffer>();
	for (let at = 0; at + 4 <= bytes.length; ) {
		const length = bytes.readUInt16BE(at + 2);
		options.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + length));
		at += 4 + length;
	}
	return options;
}

function macIn(duid: Buffer): string | undefined {
	const at = { 1: 8, 3: 4 }[duid.length >= 2 ? duid.readUInt16BE(0) : 0];
	if (at === undefined || duid.length !== at + 6 || duid.readUInt16BE(2) !== ETHERNET) return undefined;
	return (duid.subarray(at).toString("hex").match(/../g) ?? []).join(":");
}

function addressIn(bytes: Buffer): string {
	const groups = bytes.subarray(0, 16).toString("hex").match(/..../g) ?? [];
	return parseIpAddress(groups.join(":")).text;
}
