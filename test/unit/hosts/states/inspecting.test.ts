import { decides, seen } from "./_observation.ts";

decides([
	[
		"to be inspected",
		seen("inspecting", { provision_state: "manageable" }),
		{ kind: "change", target: "inspect", operation: "inspect" },
	],
	[
		"inspected while nobody looked",
		seen("inspecting", { provision_state: "manageable" }, { inventoried: true }),
		{ kind: "record", state: "preparing" },
	],
	[
		"inspect wait",
		seen("inspecting", { provision_state: "inspect wait" }),
		{ kind: "wait", operation: "inspect" },
	],
]);
