import { host } from "../_fixtures.ts";
import { DEPLOYED, decides, seen } from "./_observation.ts";

decides([
	["to be deployed", seen("provisioning", { provision_state: "available" }), { kind: "deploy" }],
	[
		"deploy wait",
		seen("provisioning", { provision_state: "wait call-back" }),
		{ kind: "wait", operation: "provision" },
	],
	["deploy failed long ago", seen("provisioning", { provision_state: "deploy failed" }), { kind: "deploy" }],
	[
		"deployed",
		seen("provisioning", { provision_state: "active", instance_info: DEPLOYED }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"another image while the first is being written",
		seen("provisioning", {
			provision_state: "wait call-back",
			instance_info: { image_source: "http://old" },
		}),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"the deployment failed, and no image is wanted any more",
		seen("provisioning", { provision_state: "deploy failed" }, { host: host({ image: undefined }) }),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"a changed BMC password waits for the end of what is under way",
		seen("provisioning", { provision_state: "deploying" }, { outdated: true }),
		{ kind: "wait", operation: "provision" },
	],
	[
		"frozen for a pivot",
		seen("provisioning", {
			provision_state: "available",
			maintenance: true,
			maintenance_reason: "ironstrap.io/r-1",
		}),
		{ kind: "refuse", code: "host-frozen" },
	],
]);
