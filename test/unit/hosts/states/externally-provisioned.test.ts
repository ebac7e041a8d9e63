import { host } from "../_fixtures.ts";
import { decides, seen } from "./_observation.ts";

decides([
	[
		"external flag taken away: provisioned, as it is",
		seen("externally provisioned", { provision_state: "manageable" }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"external flag taken away, without an image",
		seen("externally provisioned", { provision_state: "manageable" }, { host: host({ image: undefined }) }),
		{ kind: "refuse", code: "host-already-deployed" },
	],
]);
