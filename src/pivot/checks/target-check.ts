import { IronstrapError } from "../../lib/errors.ts";
import type { PivotPlan } from "../plan.ts";
import type { TargetFacts } from "../target-facts.ts";

/** One reason to go no further, looked for in what was seen of the target. Pure. */
export type TargetCheck = (plan: PivotPlan, facts: TargetFacts) => readonly IronstrapError[];

export type TargetFaultCode =
	| "pivot-rights-missing"
	| "pivot-target-unfit"
	| "pivot-target-taken"
	| "pivot-object-refused"
	| "pivot-placement"
	| "pivot-ironic-address";

export function targetFault(
	code: TargetFaultCode,
	message: string,
	seen: string,
	fix: string,
	subject?: string,
): IronstrapError {
	return new IronstrapError({ code, message, seen, fix, subject });
}
