import { IMAGE } from "../_fixtures.ts";
import { apart, decides, seen } from "./_observation.ts";

decides([
	[
		"provisioned, to be detached",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url, host: apart }),
		{ kind: "detach" },
	],
	["detached", seen("provisioned", undefined, { detached: true, host: apart }), { kind: "settled" }],
	[
		"detached, the annotation is gone: taken over again",
		seen("provisioned", undefined, { detached: true, port: "missing" }),
		{ kind: "enrol" },
	],
	[
		"to be detached, but not before it is deployed",
		seen("provisioning", { provision_state: "deploying" }, { host: apart }),
		{ kind: "wait", operation: "provision" },
	],
]);
