import { createSocket, type SocketType } from "node:dgram";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { IronstrapError } from "../lib/errors.ts";
import { type HeldTable, holdTable, listSet } from "./nft.ts";
import { heardSets, type VirtualRouter, vrrpListener, vrrpRouters } from "./vrrp-listener.ts";

/** Who was heard sharing addresses on a network. */
export type VirtualRoutersLook =
	| { readonly outcome: "looked"; readonly routers: readonly VirtualRouter[] }
	| { readonly outcome: "could-not-look"; readonly why: string };

/** keepalived and routers announce every second; the slowest that are common, every three. */
const patienceMs = 4200;
const [settleMs, settleEveryMs] = [5000, 50];

/** RFC 9568, section 5.1: where virtual routers announce themselves. */
const GROUPS: readonly (readonly [SocketType, string])[] = [
	["udp4", "224.0.0.18"],
	["udp6", "ff02::12"],
];

/**
 * Listens on one interface for announcements of virtual routers (VRRP, which keepalived speaks), and sends none: see "How
 * virtual routers are heard" in docs/decisions. Takes {@link patienceMs}, and needs root and nftables.
 *
 * @param addresses the interface's own
 */
export async function lookForVirtualRouters(
	link: string,
	addresses: readonly string[],
	signal: AbortSignal,
): Promise<VirtualRoutersLook> {
	const table = `ironstrap_look_${process.pid}`;
	const membership = await joinGroups(link, addresses);
	const held = holdTable(vrrpListener(table, link), signal);
	try {
		await list(table, held, signal);
		await pause(patienceMs, undefined, { signal });
		const routers = vrrpRouters(await list(table, held, signal));
		return { outcome: "looked", routers: routers.filter(({ address }) => !addresses.includes(address)) };
	} catch (error) {
		signal.throwIfAborted();
		if (!(error instanceof IronstrapError)) throw error;
		return { outcome: "could-not-look", why: [error.message, error.seen].filter(Boolean).join(": ") };
	} finally {
		await held.release();
		membership.leave();
	}
}

type Listing = NonNullable<Awaited<ReturnType<typeof listSet>>>;

/**
 * Once the sets are there. Not the table: nft 1.0.6 breaks off at its flags in some rulesets. What it cannot list while
 * somebody else changes the ruleset, it can a moment later.
 */
async function list(table: string, held: HeldTable, signal: AbortSignal): Promise<Listing> {
	for (let waited = 0; ; waited += settleEveryMs) {
		const complaints = held.complaints();
		const found = await listSets(table, signal).catch((error: unknown) => {
			const passes = error instanceof IronstrapError && error.code === "nft-failed" && complaints === "";
			if (passes && waited < settleMs) return undefined;
			throw error;
		});
		if (found !== undefined) return found;
		if (complaints !== "" || waited >= settleMs)
			throw new IronstrapError({
				code: "nft-failed",
				message: "nftables takes no table to listen with",
				seen: complaints.split("\n")[0] ?? "",
				fix: "update nftables and the kernel (Linux 5.12)",
			});
		await pause(settleEveryMs, undefined, { signal });
	}
}

async function listSets(table: string, signal: AbortSignal): Promise<Listing | undefined> {
	const found = await Promise.all(heardSets.map((set) => listSet(table, set, signal)));
	return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
}

/** The card lets only the packets of groups through that somebody is in; of which family there is none, none come. */
async function joinGroups(link: string, addresses: readonly string[]): Promise<{ leave(): void }> {
	const sockets = await Promise.all(
		GROUPS.map(async ([type, group]) => {
			const socket = createSocket(type);
			const at = type === "udp6" ? `::%${link}` : addresses.find((address) => !address.includes(":"));
			socket.on("error", () => undefined);
			socket.bind(0);
			await once(socket, "listening");
			try {
				socket.addMembership(group, at);
			} catch {
				// no address of that family on the interface
			}
			return socket;
		}),
	);
	return {
		leave() {
			for (const socket of sockets) socket.close();
		},
	};
}
