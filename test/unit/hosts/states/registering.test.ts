import { host } from "../_fixtures.ts";
import { decides, external, seen } from "./_observation.ts";

decides([
	["nothing known yet: enrol", seen("", undefined), { kind: "enrol" }],
	[
		"enrolled without a port",
		seen("registering", { provision_state: "enroll" }, { port: "missing" }),
		{ kind: "create-port" },
	],
	[
		"another node has the MAC address",
		seen("", undefined, { port: "foreign" }),
		{ kind: "refuse", code: "host-port-taken" },
	],
	[
		"enrolled: verify",
		seen("registering", { provision_state: "enroll" }),
		{ kind: "change", target: "manage", operation: "register" },
	],
	[
		"verifying",
		seen("registering", { provision_state: "verifying" }),
		{ kind: "wait", operation: "register" },
	],
	[
		"verified",
		seen("registering", { provision_state: "manageable" }),
		{ kind: "record", state: "inspecting" },
	],
	[
		"verified, inspection disabled",
		seen("registering", { provision_state: "manageable" }, { host: host({ inspectionMode: "disabled" }) }),
		{ kind: "record", state: "preparing" },
	],
	[
		"verified, inspection disabled by annotation",
		seen(
			"registering",
			{ provision_state: "manageable" },
			{ host: host({}, { annotations: { "inspect.metal3.io": "disabled" } }) },
		),
		{ kind: "record", state: "preparing" },
	],
	[
		"verified, external",
		seen("registering", { provision_state: "manageable" }, { host: external }),
		{ kind: "record", state: "externally provisioned" },
	],
	[
		"RAID is not ours",
		seen("", undefined, { host: host({ raid: { softwareRAIDVolumes: [{ level: "1" }] } }) }),
		{ kind: "refuse", code: "host-unsupported" },
	],
]);
