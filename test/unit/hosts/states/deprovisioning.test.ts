import { IMAGE } from "../_fixtures.ts";
import { decides, seen } from "./_observation.ts";

decides([
	[
		"to be undeployed",
		seen("deprovisioning", { provision_state: "active" }),
		{ kind: "change", target: "deleted", operation: "deprovision" },
	],
	[
		"to be undeployed, but wanted again",
		seen("deprovisioning", { provision_state: "active" }, { deployedImage: IMAGE.url }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"being undeployed",
		seen("deprovisioning", { provision_state: "deleting" }),
		{ kind: "wait", operation: "deprovision" },
	],
	[
		"cleaned as part of that",
		seen("deprovisioning", { provision_state: "clean wait" }),
		{ kind: "wait", operation: "deprovision" },
	],
	[
		"undeploying failed long ago",
		seen("deprovisioning", { provision_state: "error" }),
		{ kind: "change", target: "deleted", operation: "deprovision" },
	],
	[
		"undeployed",
		seen("deprovisioning", { provision_state: "available" }),
		{ kind: "record", state: "available" },
	],
]);
