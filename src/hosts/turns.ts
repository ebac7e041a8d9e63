import type { BootstrapSpec } from "../resources/bootstrap.ts";

type Limits = BootstrapSpec["limits"];

/** Who may make hardware work now: so many servers at once, so many of one BMC, and no two switched on together. */
export interface Turns {
	/** Gives a turn, if there is one for this BMC; whoever gets it gives it back. `ahead`: how many hold one. */
	tryTake(bmc: string): { readonly release: () => void } | { readonly ahead: number };
}

/** Pure but for the clock, which `now` (milliseconds) replaces. */
export function openTurns({ hosts, perBmc, powerOnEvery }: Limits, now = () => performance.now()): Turns {
	const held = new Map<string, number>();
	let total = 0;
	let last = Number.NEGATIVE_INFINITY;
	return {
		tryTake(bmc) {
			const mine = held.get(bmc) ?? 0;
			if (total >= hosts || mine >= perBmc || now() - last < powerOnEvery) return { ahead: total };
			total += 1;
			held.set(bmc, mine + 1);
			last = now();
			let given = false;
			return {
				release() {
					if (given) return;
					given = true;
					total -= 1;
					held.set(bmc, (held.get(bmc) ?? 1) - 1);
				},
			};
		},
	};
}
