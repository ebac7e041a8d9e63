import { createSocket } from "node:dgram";
import { networkInterfaces } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { lookForDhcp } from "./dhcp-look.ts";
import { lookForDhcp6 } from "./dhcp6-look.ts";
import { ipJson, lookAtInterfaces } from "./interfaces.ts";

/** Somebody on a network who tells servers their addresses, their routes or what to boot. */
export interface NetworkServer {
	readonly kind: "DHCPv4" | "DHCPv6" | "router";
	readonly address: string;
	/** Not known of one behind a relay. */
	readonly mac: string | undefined;
	/** The address that it would have given us; `undefined` for one that only says what to boot, or routes. */
	readonly offered: string | undefined;
	/** This machine itself. */
	readonly own: boolean;
}

export interface ServersLook {
	readonly servers: readonly NetworkServer[];
	/** What could not be looked for, and why. */
	readonly unseen: readonly { readonly kind: NetworkServer["kind"]; readonly why: string }[];
}

/** dnsmasq, the most common one, pings an address for three seconds before it offers it. */
const patienceMs = 4200;
const resolveMs = 300;

/**
 * Asks on one interface for DHCP servers of both families, and takes nothing. Routers cannot be asked without a raw
 * socket: what the kernel learnt from their advertisements has to do. Takes {@link patienceMs}, and needs root.
 */
export async function lookForServers(name: string, signal: AbortSignal): Promise<ServersLook> {
	const interfaces = await lookAtInterfaces({ signal });
	const link = interfaces.find((each) => each.name === name);
	if (link === undefined) return { servers: [], unseen: [{ kind: "DHCPv4", why: `there is no ${name}` }] };
	const own = interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address));
	const linkLocal = networkInterfaces()[name]?.find(({ address }) => address.startsWith("fe80:"))?.address;
	const [v4, v6] = await Promise.all([
		lookForDhcp(link, { signal, own, waitMs: patienceMs }),
		linkLocal === undefined || link.mac === undefined || link.link !== true
			? `${name} has no link, or no IPv6`
			: lookForDhcp6({ name, mac: link.mac, linkLocal }, { signal, waitMs: patienceMs }),
	]);
	const four = v4.outcome === "looked" ? v4.servers : [];
	const six = typeof v6 === "string" ? [] : v6;
	const routers = await announcedRouters(name, signal);
	const macs = await neighbours(
		name,
		four.map(({ address }) => address),
		signal,
	);
	return {
		servers: [
			...four.map(
				({ address, offered, own: isOwn }): NetworkServer => ({
					...{ kind: "DHCPv4", address, mac: macs.get(address), offered, own: isOwn },
				}),
			),
			...six.map(
				({ address, mac, offered }): NetworkServer => ({
					...{ kind: "DHCPv6", address, mac: macs.get(address) ?? mac, offered, own: address === linkLocal },
				}),
			),
			...routers.map(
				(address): NetworkServer => ({
					...{ kind: "router", address, mac: macs.get(address), offered: undefined, own: false },
				}),
			),
		],
		unseen: [
			...(v4.outcome === "looked" ? [] : [{ kind: "DHCPv4", why: v4.why } as const]),
			...(typeof v6 === "string" ? [{ kind: "DHCPv6", why: v6 } as const] : []),
		],
	};
}

async function announcedRouters(name: string, signal: AbortSignal): Promise<readonly string[]> {
	const routes = await ipJson<{ readonly gateway?: string; readonly protocol?: string }>(
		["-6", "route", "show", "default", "dev", name],
		signal,
	);
	return routes.flatMap(({ gateway, protocol }) =>
		protocol === "ra" && gateway !== undefined ? [gateway] : [],
	);
}

/** The MAC addresses behind IP addresses of a network. An empty datagram to the discard port makes the kernel ask. */
async function neighbours(
	name: string,
	addresses: readonly string[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const socket = createSocket("udp4");
	// an answer that nobody listens there
	socket.on("error", () => undefined);
	try {
		for (const address of addresses) socket.send(Buffer.alloc(0), 9, address, () => undefined);
		if (addresses.length > 0) await pause(resolveMs, undefined, { signal });
	} finally {
		socket.close();
	}
	const known = await ipJson<{ readonly dst: string; readonly lladdr?: string }>(
		["neigh", "show", "dev", name],
		signal,
	);
	return new Map(known.flatMap(({ dst, lladdr }) => (lladdr === undefined ? [] : [[dst, lladdr] as const])));
}
