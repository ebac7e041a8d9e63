import { type IronstrapError, IronstrapErrors } from "../lib/errors.ts";

/** One look at the machine before anything is made on it. Looking changes nothing. */
export interface Check {
	/** Kebab-case: `ports-free`. */
	readonly id: string;
	/** Why it matters, as one sentence for a person. */
	readonly why: string;
	/** What stands in the way, each with what was seen and what to do; empty when all is well. */
	readonly look: (signal: AbortSignal) => Promise<readonly IronstrapError[]>;
}

/** Runs all checks and throws everything that they found together. */
export async function runChecks(checks: readonly Check[], signal: AbortSignal): Promise<void> {
	const found = await Promise.all(checks.map(({ look }) => look(signal)));
	const faults = found.flat();
	if (faults.length > 0) throw new IronstrapErrors(faults);
}
