import { host, IMAGE } from "../_fixtures.ts";
import { decides, inspecting, seen } from "./_observation.ts";

decides([
	[
		"provisioned",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url }),
		{ kind: "settled" },
	],
	[
		"provisioned, now another image is asked for",
		seen("provisioned", { provision_state: "active" }, { deployedImage: "http://old" }),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"provisioned, now no image is asked for",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ image: undefined }) },
		),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"provisioned, another checksum of the same URL: not compared",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ image: { ...IMAGE, checksum: "0".repeat(64) } }) },
		),
		{ kind: "settled" },
	],
	[
		"provisioned, what is deployed is not known: not another image",
		seen("provisioned", { provision_state: "active" }, { deployedImage: "" }),
		{ kind: "settled" },
	],
	[
		"another image, but frozen for a pivot",
		seen(
			"provisioned",
			{ provision_state: "active", maintenance: true, maintenance_reason: "ironstrap.io/r-1" },
			{ deployedImage: "http://old" },
		),
		{ kind: "refuse", code: "host-frozen" },
	],
	[
		"no image, but externally provisioned from now on",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ image: undefined, externallyProvisioned: true }) },
		),
		{ kind: "record", state: "externally provisioned" },
	],
	[
		"paused",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{
				deployedImage: "http://old",
				host: host({}, { annotations: { "baremetalhost.metal3.io/paused": "" } }),
			},
		),
		{ kind: "settled" },
	],
	[
		"a deployed server is not inspected, whoever asks",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url, host: inspecting }),
		{ kind: "settled" },
	],
	[
		"a fault's maintenance of a running server",
		seen(
			"provisioned",
			{ provision_state: "active", maintenance: true, fault: "power failure" },
			{ deployedImage: IMAGE.url },
		),
		{ kind: "clear-maintenance" },
	],
	[
		"provisioned, Ironic's database lost",
		seen("provisioned", undefined, { port: "missing" }),
		{ kind: "enrol" },
	],
	[
		"provisioned, node enrolled again",
		seen("provisioned", { provision_state: "manageable" }),
		{ kind: "change", target: "adopt", operation: "adopt" },
	],
	[
		"provisioned, but the node is available",
		seen("provisioned", { provision_state: "available" }),
		{ kind: "refuse", code: "host-undeployed" },
	],
	[
		"rescue mode",
		seen("provisioned", { provision_state: "rescue" }),
		{ kind: "refuse", code: "host-foreign-state" },
	],
]);
