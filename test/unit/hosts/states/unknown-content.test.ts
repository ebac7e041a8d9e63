import { DEPLOYED, decides, seen } from "./_observation.ts";

decides([
	[
		"status lost, server runs our image",
		seen("", { provision_state: "active", instance_info: DEPLOYED }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"status lost, server runs something else",
		seen("", { provision_state: "active" }),
		{ kind: "refuse", code: "host-already-deployed" },
	],
]);
