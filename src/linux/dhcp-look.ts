import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { type DhcpOffer, dhcpDiscover, parseDhcpOffer } from "./dhcp-packet.ts";
import type { MachineInterface } from "./ip-json.ts";

/** A DHCP server that answered. */
export interface DhcpServer {
	readonly address: string;
	/** What it would have given us; `undefined` for one that only says what to boot. */
	readonly offered: string | undefined;
	readonly router: string | undefined;
	readonly bootFile: string | undefined;
	/** It runs on this machine (libvirt, a container, the stack itself). */
	readonly own: boolean;
}

/** Whether somebody gives out addresses on a network already. */
export type DhcpLook =
	| { readonly outcome: "looked"; readonly servers: readonly DhcpServer[] }
	| { readonly outcome: "could-not-look"; readonly why: string };

const [SERVER_PORT, CLIENT_PORT] = [67, 68];

/** Servers ping an address before they offer it (RFC 2131, section 3.1): ISC's for one second, dnsmasq for three. */
const WAIT_MS = 5000;
const ASK_AT_MS = [0, 1000];

/**
 * Asks for DHCP servers on one interface, and takes nothing: see "How DHCP servers are looked for" in docs/decisions. The question leaves by that
 * interface because it is sent from its address; the answer is a broadcast. Needs root (port 68), an IPv4 address on
 * the interface, and takes `waitMs`.
 */
export async function lookForDhcp(
	link: MachineInterface,
	{ signal, waitMs = WAIT_MS, own = [] }: { signal: AbortSignal; waitMs?: number; own?: readonly string[] },
): Promise<DhcpLook> {
	const address = link.addresses.find(({ family }) => family === 4)?.address;
	if (link.link !== true) return couldNot(`${link.name} has no link`);
	if (link.mac === undefined) return couldNot(`${link.name} is no Ethernet interface`);
	if (address === undefined)
		return couldNot(`${link.name} has no IPv4 address to ask from; give it one and look again`);
	const sockets: Socket[] = [];
	try {
		const sender = await open(address, sockets);
		// the limited broadcast address as a socket's own: answers to whomever, and no other traffic of port 68
		const receiver = await open("255.255.255.255", sockets);
		return {
			outcome: "looked",
			servers: await ask({ sender, receiver, mac: link.mac, waitMs, own, signal }),
		};
	} catch (error) {
		signal.throwIfAborted();
		const { code, message } = error as NodeJS.ErrnoException;
		if (code === "EACCES" || code === "EPERM") return couldNot("it needs root");
		if (code === "EADDRINUSE") return couldNot("another DHCP client holds UDP port 68");
		return couldNot(message);
	} finally {
		for (const socket of sockets) socket.close();
	}
}

function couldNot(why: string): DhcpLook {
	return { outcome: "could-not-look", why };
}

async function open(address: string, sockets: Socket[]): Promise<Socket> {
	const socket = createSocket({ type: "udp4", reuseAddr: true });
	sockets.push(socket);
	await new Promise<void>((resolve, reject) => {
		socket.once("error", reject);
		socket.bind({ address, port: CLIENT_PORT, exclusive: true }, resolve);
	});
	socket.setBroadcast(true);
	return socket;
}

async function ask(question: {
	sender: Socket;
	receiver: Socket;
	mac: string;
	waitMs: number;
	own: readonly string[];
	signal: AbortSignal;
}): Promise<readonly DhcpServer[]> {
	const { sender, receiver, mac, waitMs, own, signal } = question;
	const transaction = randomInt(2 ** 31);
	const packets = [dhcpDiscover(transaction, mac), dhcpDiscover(transaction + 1, mac, { pxe: true })];
	const servers = new Map<string, DhcpServer>();
	await new Promise<void>((resolve, reject) => {
		const timers = [setTimeout(() => end(resolve), waitMs)];
		const end = (how: () => void) => {
			for (const timer of timers) clearTimeout(timer);
			signal.removeEventListener("abort", onAbort);
			how();
		};
		const fail = (error: Error) => end(() => reject(error));
		const onAbort = () => fail(signal.reason instanceof Error ? signal.reason : new Error("interrupted"));
		signal.addEventListener("abort", onAbort, { once: true });
		for (const socket of [sender, receiver]) {
			socket.on("error", fail);
			socket.on("message", (packet, { address }) => {
				const offer = parseDhcpOffer(packet);
				if (
					offer === undefined ||
					(offer.transaction !== transaction && offer.transaction !== transaction + 1)
				)
					return;
				const server = offer.server ?? address;
				servers.set(server, merge(servers.get(server), offer, { server, own: own.includes(server) }));
			});
		}
		const send = () => {
			for (const packet of packets)
				sender.send(packet, SERVER_PORT, "255.255.255.255", (error) => {
					if (error !== null) fail(error);
				});
		};
		for (const at of ASK_AT_MS) timers.push(setTimeout(send, at));
	});
	return [...servers.values()];
}

/** One server may answer both questions differently. */
function merge(
	before: DhcpServer | undefined,
	{ offered, router, bootFile }: DhcpOffer,
	{ server, own }: { server: string; own: boolean },
): DhcpServer {
	return {
		...{ address: server, own },
		offered: before?.offered ?? offered,
		router: before?.router ?? router,
		bootFile: before?.bootFile ?? bootFile,
	};
}
