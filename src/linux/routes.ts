import { isIP } from "node:net";
import { execa } from "execa";
import { resolveNames } from "./network-facts.ts";

/** Runs `ip -json -batch` over these commands, goes on after a failure, and returns what it prints. */
export type RunBatch = (commands: string, signal: AbortSignal) => Promise<string>;

/**
 * Host (address or name) → the IPv4 address of this machine by which it is reached. Left out are hosts without a route,
 * those on this machine itself, and names that do not resolve.
 */
export async function localAddressesTowards(
	hosts: readonly string[],
	signal: AbortSignal,
	ip: RunBatch = runBatch,
): Promise<Readonly<Record<string, string>>> {
	const names = hosts.filter((host) => isIP(host) === 0);
	const resolved = names.length === 0 ? new Map<string, readonly string[]>() : await resolveNames(names);
	const addresses = hosts.flatMap((host): readonly (readonly [string, string])[] => {
		const found = (resolved.get(host) ?? [host]).find((each) => isIP(each) === 4);
		return found === undefined ? [] : [[host, found]];
	});
	const wanted = [...new Set(addresses.map(([, address]) => address))];
	if (wanted.length === 0) return {};
	const text = await ip(wanted.map((address) => `route get ${address}\n`).join(""), signal);
	const sources = sourcesIn(text);
	return Object.fromEntries(
		addresses.flatMap(([host, address]) => {
			const source = sources.get(address);
			return source === undefined ? [] : [[host, source]];
		}),
	);
}

interface Route {
	readonly type?: string;
	readonly dst?: string;
	readonly dev?: string;
	readonly prefsrc?: string;
}

/** A batch prints one list a command, one after another; nothing for a command that failed. */
function sourcesIn(text: string): ReadonlyMap<string, string> {
	const lists = text.match(/^\[.*\]\s*$/gm) ?? [];
	const routes = lists.flatMap((list) => JSON.parse(list) as readonly Route[]);
	return new Map(
		routes.flatMap(({ dev, dst, prefsrc, type }) =>
			dst === undefined || prefsrc === undefined || type === "local" || dev === "lo" ? [] : [[dst, prefsrc]],
		),
	);
}

/** Without the program there are no routes to tell; who needs it for more says so. */
async function runBatch(commands: string, signal: AbortSignal): Promise<string> {
	const options = { input: commands, timeout: 10_000, reject: false, cancelSignal: signal } as const;
	const { stdout } = await execa("ip", ["-json", "-force", "-batch", "-"], options);
	signal.throwIfAborted();
	return stdout ?? "";
}
