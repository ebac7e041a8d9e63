import { OUTSIDE, type Place, reachableFromHere, reachableFromOutside } from "../linux/outside-look.ts";
import type { StateRoots } from "../state/layout.ts";
import { fenceOfApplied } from "./fence-show.ts";

/** What a look from this machine and from a network that nobody named found. */
export interface FenceLook {
	readonly site: string;
	/** The network of the look from outside. */
	readonly from: string;
	readonly places: readonly (Place & {
		readonly what: string;
		readonly here: boolean;
		readonly outside: boolean;
	})[];
	/** `ADDRESS:PORT` of what that network reaches though the site does not let it. */
	readonly unexpected: readonly string[];
}

/** Tries every published TCP port of an applied site for real. */
export async function verifyFence(
	wanted: string | undefined,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<FenceLook> {
	const { ports, site } = await fenceOfApplied(wanted, roots, signal);
	const places = ports.filter(({ protocol }) => protocol === "tcp");
	const here = await reachableFromHere(places, signal);
	const outside = await reachableFromOutside(places, signal);
	const seen = places.map(({ address, from, port, what }, index) => ({
		...{ address, port, what, from, here: here[index] === true, outside: outside[index] === true },
	}));
	return {
		site,
		from: `${OUTSIDE.v4}.0/30`,
		places: seen.map(({ from: _, ...place }) => place),
		unexpected: seen
			.filter((place) => place.outside && place.from !== "by any interface")
			.map(({ address, port }) => `${address}:${port}`),
	};
}
