import type { IronstrapError } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";
import { definitions } from "./checks/definitions.ts";
import { ironicAddress } from "./checks/ironic-address.ts";
import { operators } from "./checks/operators.ts";
import { placement } from "./checks/placement.ts";
import { rights } from "./checks/rights.ts";
import { taken } from "./checks/taken.ts";
import type { TargetCheck } from "./checks/target-check.ts";
import { tried } from "./checks/tried.ts";
import type { PivotPlan } from "./plan.ts";
import type { TargetFacts } from "./target-facts.ts";

/** Why the target cannot take the hosts now, everything at once; empty when it can. Pure. */
export function targetRefusals(plan: PivotPlan, facts: TargetFacts, site: Site): readonly IronstrapError[] {
	// without its rights nothing was looked at
	if (facts.denied.length > 0) return rights(plan, facts);
	const checks: readonly TargetCheck[] = [
		definitions,
		operators,
		taken,
		ironicAddress(site.bootstrap.spec.target.ironic),
		placement,
		tried,
	];
	return checks.flatMap((check) => check(plan, facts));
}

/** What a person should know and what could not be looked at from here. */
export function targetNotes({ ironic, namespaces, hosts }: PivotPlan, facts: TargetFacts): readonly string[] {
	const absent = namespaces.filter((name) => !facts.namespaces.includes(name));
	return [
		...(facts.webhook
			? []
			: [
					"no webhook looks at BareMetalHosts in this cluster: a damaged status annotation would not be refused (the status is also written by itself and read back)",
				]),
		...(absent.length === 0
			? []
			: [
					`not tried yet: objects in ${absent.join(", ")}, which will be created first; they are tried before this machine's stack is stopped`,
				]),
		`not looked at: whether pods of the cluster reach ${hosts.length === 1 ? "the BMC" : `the ${hosts.length} BMCs`} and the image servers`,
		...(ironic === undefined
			? ["the Ironic that runs in the cluster must know these servers' BMC CA, if they need one"]
			: []),
	];
}
