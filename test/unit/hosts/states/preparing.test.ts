import { decides, seen } from "./_observation.ts";

decides([
	[
		"to be cleaned",
		seen("preparing", { provision_state: "manageable" }),
		{ kind: "change", target: "provide", operation: "prepare" },
	],
	["cleaned", seen("preparing", { provision_state: "available" }), { kind: "record", state: "available" }],
	[
		"clean failed long ago",
		seen("preparing", { provision_state: "clean failed", maintenance: true, fault: "clean failure" }),
		{ kind: "clear-maintenance" },
	],
]);
