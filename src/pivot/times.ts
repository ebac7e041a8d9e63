import type { PivotTimes } from "./steps/context.ts";

/** The canary and its followers need no longer than this to show that BMO does something unwanted with them. */
const LONGEST_SETTLE_MS = 30_000;

/** All in milliseconds; `deadline` is `Bootstrap.spec.deadlines.pivot`. */
export function pivotTimes(deadline: number, soak: number): PivotTimes {
	return { ironic: deadline, host: deadline, soak, settle: Math.min(LONGEST_SETTLE_MS, soak / 10) };
}
