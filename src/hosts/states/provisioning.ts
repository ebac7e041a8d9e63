import type { HostAction } from "../action.ts";
import { isToBeDeployed } from "../instance.ts";
import { attempt, type Plan, PROVIDE, record } from "../plan.ts";

/** The image is written; what fails is tried again from where it is, what is not wanted any more is taken back. */
export function provisioning(plan: Plan): HostAction {
	const { host, node } = plan;
	switch (node.provision_state) {
		case "manageable":
			return host.spec.externallyProvisioned === true
				? record("externally provisioned")
				: attempt(plan, "prepare", "preparation error", PROVIDE);
		case "available":
			if (host.spec.externallyProvisioned === true) return record("externally provisioned");
			if (!isToBeDeployed(host)) return record("available");
			return attempt(plan, "provision", "provisioning error", { kind: "deploy" });
		case "deploy failed":
			if (!isToBeDeployed(host)) return record("deprovisioning");
			return attempt(plan, "provision", "provisioning error", { kind: "deploy" });
		case "active":
			return record(host.spec.externallyProvisioned === true ? "externally provisioned" : "provisioned");
		default:
			return record("deprovisioning");
	}
}
