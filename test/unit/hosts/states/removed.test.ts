import { decides, seen } from "./_observation.ts";

decides([
	[
		"a removal was begun, and the host is declared again",
		seen("powering off before delete", { provision_state: "available" }),
		{ kind: "record", state: "available" },
	],
]);
