import { IronstrapError } from "../lib/errors.ts";
import type { SecretStore } from "../state/secret-store.ts";
import type { PivotPlan } from "./plan.ts";

/** Among the secrets, because the target's Secrets are in it. */
const NAME = "pivot-plan";

export async function storePlan(secrets: SecretStore, plan: PivotPlan): Promise<void> {
	await secrets.write(NAME, JSON.stringify(plan));
}

/** The plan of the hand-over that goes on. Errors: `state-damaged`. */
export async function readPlan(secrets: SecretStore, run: string): Promise<PivotPlan> {
	const text = await secrets.read(NAME);
	const plan = text === undefined ? undefined : (JSON.parse(text) as PivotPlan);
	if (plan?.run === run) return plan;
	throw new IronstrapError({
		code: "state-damaged",
		message: `the plan of hand-over ${run} is not among the site's secrets`,
		seen: plan === undefined ? "there is none" : `there is that of hand-over ${plan.run}`,
		fix: "restore the site's state from a backup",
	});
}

/** Nothing needs it any more; it holds copies of Secrets. */
export async function forgetPlan(secrets: SecretStore): Promise<void> {
	await secrets.remove(NAME);
}
