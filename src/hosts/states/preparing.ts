import type { HostAction } from "../action.ts";
import { attempt, type Plan, PROVIDE, record } from "../plan.ts";
import { unknownContent } from "./unknown-content.ts";

/** The server is cleaned. */
export function preparing(plan: Plan): HostAction {
	switch (plan.node.provision_state) {
		case "manageable":
			return plan.host.spec.externallyProvisioned === true
				? record("externally provisioned")
				: attempt(plan, "prepare", "preparation error", PROVIDE);
		case "available":
			return record(plan.host.spec.externallyProvisioned === true ? "externally provisioned" : "available");
		default:
			return unknownContent(plan);
	}
}
