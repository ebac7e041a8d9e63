import { faultsOf, type IronstrapError } from "../lib/errors.ts";
import { type Finding, failOnErrors } from "../site/finding.ts";

/** One look at the machine before anything is made on it. Looking changes nothing. */
export interface Check {
	/** Kebab-case; the file is named after it: `engine`. */
	readonly id: string;
	/** Why it matters, as one sentence for a person. */
	readonly why: string;
	/** What stands in the way, or is doubtful, each with what was seen and what to do; empty when all is well. */
	readonly look: (signal: AbortSignal) => Promise<readonly (IronstrapError | Finding)[]>;
}

/** Everything that all checks find, in their order. */
export async function lookAll(checks: readonly Check[], signal: AbortSignal): Promise<readonly Finding[]> {
	const found = await Promise.all(checks.map(({ look }) => look(signal)));
	signal.throwIfAborted();
	return found.flat().map(findingOf);
}

/** Runs all checks and throws everything that stands in the way together; returns the warnings. */
export async function runChecks(checks: readonly Check[], signal: AbortSignal): Promise<readonly Finding[]> {
	return failOnErrors(await lookAll(checks, signal));
}

/** Runs what throws an `IronstrapError` when something stands in the way. */
export async function faultsFound(look: () => unknown): Promise<readonly IronstrapError[]> {
	try {
		await look();
		return [];
	} catch (error) {
		return faultsOf(error);
	}
}

function findingOf(found: IronstrapError | Finding): Finding {
	if ("severity" in found) return found;
	const { code, fix, message, seen, subject, where } = found;
	return { code, severity: "error", message, where, subject, seen, fix };
}
