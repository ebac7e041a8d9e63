import { host } from "../_fixtures.ts";
import { decides, inspecting, rebooting, seen } from "./_observation.ts";

decides([
	[
		"available with an image",
		seen("available", { provision_state: "available" }),
		{ kind: "record", state: "provisioning" },
	],
	[
		"available, but to stay offline",
		seen(
			"available",
			{ provision_state: "available", power_state: "power off" },
			{ host: host({ online: false }) },
		),
		{ kind: "settled" },
	],
	[
		"available without an image",
		seen("available", { provision_state: "available" }, { host: host({ image: undefined }) }),
		{ kind: "settled" },
	],
	[
		"an empty server is switched off without asking it",
		seen("available", { provision_state: "available" }, { host: host({ image: undefined, online: false }) }),
		{ kind: "power", target: "power off" },
	],
	[
		"an empty server is switched on",
		seen(
			"available",
			{ provision_state: "available", power_state: "power off" },
			{ host: host({ image: undefined }) },
		),
		{ kind: "power", target: "power on" },
	],
	[
		"a reboot of an empty server: not without a system",
		seen(
			"available",
			{ provision_state: "available" },
			{ host: host({ image: undefined }, rebooting("").metadata) },
		),
		{ kind: "settled" },
	],
	[
		"inspected anew on request",
		seen("available", { provision_state: "available" }, { host: inspecting, hardwareKnown: true }),
		{ kind: "record", state: "inspecting", answers: "inspect" },
	],
	[
		"that request was answered",
		seen(
			"available",
			{ provision_state: "available" },
			{ host: inspecting, hardwareKnown: true, answered: ["inspect.metal3.io="] },
		),
		{ kind: "record", state: "provisioning" },
	],
]);
