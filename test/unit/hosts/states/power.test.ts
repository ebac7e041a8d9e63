import { host, IMAGE } from "../_fixtures.ts";
import { decides, rebooting, seen } from "./_observation.ts";

decides([
	[
		"provisioned, powered off by someone",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url },
		),
		{ kind: "power", target: "power on" },
	],
	[
		"provisioned, never to be powered off",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ online: false, disablePowerOff: true }) },
		),
		{ kind: "settled" },
	],
	[
		"switched off",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ online: false }) },
		),
		{ kind: "power", target: "soft power off" },
	],
	[
		"a reboot is asked for",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url, host: rebooting("") }),
		{ kind: "power", target: "soft power off" },
	],
	[
		"a hard reboot is asked for",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: rebooting('{"mode":"hard"}') },
		),
		{ kind: "power", target: "power off" },
	],
	[
		"half-way through a reboot",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url, host: rebooting("") },
		),
		{ kind: "record", state: "provisioned", answers: "reboot" },
	],
	[
		"the second half of a reboot",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url, host: rebooting(""), answered: ["reboot.metal3.io="] },
		),
		{ kind: "power", target: "power on" },
	],
	[
		"a reboot that was answered before",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: rebooting(""), answered: ["reboot.metal3.io="] },
		),
		{ kind: "settled" },
	],
	[
		"kept off by somebody's key",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url, host: host({}, { annotations: { "reboot.metal3.io/repair": "" } }) },
		),
		{ kind: "settled" },
	],
	[
		"a reboot of a server that is never to be off",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ disablePowerOff: true }, rebooting("").metadata) },
		),
		{ kind: "power", target: "rebooting" },
	],
]);
