import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { setTimeout as pause } from "node:timers/promises";
import { dhcp6Solicit, parseDhcp6Advertisement } from "./dhcp6-packet.ts";

/** A DHCPv6 server that answered. */
export interface Dhcp6Server {
	/** Link-local, without zone. */
	readonly address: string;
	readonly mac: string | undefined;
	readonly offered: string | undefined;
}

const [SERVER_PORT, CLIENT_PORT] = [547, 546];
const ALL_SERVERS = "ff02::1:2";

/** A packet may get lost, and a server whose network has just come up takes none for a second or two (RFC 4862). */
const ASK_AT_MS = [0, 800, 2400];

/**
 * Asks for DHCPv6 servers on one interface, and takes nothing. Needs root and the interface's link-local address;
 * without either there is nothing to ask from, and the answer is a reason.
 */
export async function lookForDhcp6(
	{ linkLocal, mac, name }: { readonly name: string; readonly mac: string; readonly linkLocal: string },
	{ signal, waitMs }: { readonly signal: AbortSignal; readonly waitMs: number },
): Promise<readonly Dhcp6Server[] | string> {
	const socket = createSocket({ type: "udp6", reuseAddr: true });
	const transaction = randomInt(2 ** 24);
	const servers = new Map<string, Dhcp6Server>();
	socket.on("message", (packet, { address }) => {
		const answer = parseDhcp6Advertisement(packet);
		if (answer?.transaction !== transaction) return;
		const from = address.replace(/%.*/, "");
		servers.set(from, { address: from, mac: answer.serverMac, offered: answer.offered });
	});
	try {
		await bind(socket, `${linkLocal}%${name}`);
		const question = dhcp6Solicit(transaction, mac);
		const began = performance.now();
		const until = (ms: number) => pause(Math.max(0, ms - (performance.now() - began)), undefined, { signal });
		for (const at of ASK_AT_MS.filter((ms) => ms < waitMs)) {
			await until(at);
			await send(socket, question, name);
		}
		await until(waitMs);
		return [...servers.values()];
	} catch (error) {
		signal.throwIfAborted();
		return (error as Error).message;
	} finally {
		socket.close();
	}
}

function bind(socket: Socket, address: string): Promise<void> {
	return new Promise((resolve, reject) => {
		socket.once("error", reject);
		socket.bind({ address, port: CLIENT_PORT, exclusive: true }, resolve);
	});
}

function send(socket: Socket, packet: Buffer, link: string): Promise<void> {
	return new Promise((resolve, reject) => {
		socket.send(packet, SERVER_PORT, `${ALL_SERVERS}%${link}`, (error) => {
			if (error === null) resolve();
			else reject(error);
		});
	});
}
