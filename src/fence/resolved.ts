import type { Resolved } from "./egress.ts";

/** Addresses that host names had, each with the moment (milliseconds) when a name server gave it last. */
export type SeenAddresses = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * A name with many addresses gives out a few of them at a time, and Ironic asks for itself: an address stays allowed for
 * a day after it was given.
 */
const keepMs = 24 * 3_600_000;

/**
 * What is known of these names after one more look at them, at `now`. A name that has no address now (its server is
 * down, say) keeps all that it had.
 */
export function rememberAddresses(
	names: readonly string[],
	seen: SeenAddresses,
	found: Resolved,
	now: number,
): SeenAddresses {
	return Object.fromEntries(
		names.map((name) => {
			const given = found.get(name) ?? [];
			const before = Object.entries(seen[name] ?? {}).filter(
				([, at]) => given.length === 0 || now - at < keepMs,
			);
			return [name, Object.fromEntries([...before, ...given.map((address) => [address, now] as const)])];
		}),
	);
}

export function resolvedFrom(seen: SeenAddresses): Resolved {
	return new Map(Object.entries(seen).map(([name, addresses]) => [name, Object.keys(addresses).sort()]));
}
