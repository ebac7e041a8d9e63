import type { FenceSet } from "./text.ts";

/** Something that containers may reach. */
export interface Reach {
	/** In words, e.g. `the site's BMCs`. */
	readonly what: string;
	/** As the fence has it: addresses, networks, or `ADDRESS . tcp . PORT`. */
	readonly to: readonly string[];
}

/** Sets that the chain egress lets containers reach (egress-chain.ts). */
const reachable = ["bmc_services", "image_services", "name_servers", "servers", "elsewhere", "allowed"];

/** What containers may reach through a fence with limited egress; what has no address is left out. */
export function containersReach(sets: readonly FenceSet[]): readonly Reach[] {
	return reachable.flatMap((name) => {
		const found = sets.find((set) => set.name === name);
		return found === undefined || found.elements.length === 0
			? []
			: [{ what: found.comment, to: found.elements }];
	});
}
