import { type Answer, collection, fault, HEALTHY, link, NO_CONTENT, ok } from "../answers.ts";
import { isBootPatchFault, OVERRIDE_MODES, OVERRIDE_TARGETS, patchBoot } from "../boot-override.ts";
import { RESET_TYPES, type ResetType, type SystemView } from "../system.ts";
import { allViews, chassisPath, managerPath, ofSystem, type SystemRequest, systemPath } from "./of-system.ts";
import { REDFISH, type Route } from "./route.ts";

const SYSTEM = `${REDFISH}/Systems/:uuid`;

/** A server's own document, its boot override and its power. */
export const SYSTEM_ROUTES: readonly Route[] = [
	{
		path: `${REDFISH}/Systems`,
		GET: (request) => collection("ComputerSystemCollection", "Systems", allViews(request).map(systemPath)),
	},
	{ path: SYSTEM, GET: ofSystem(({ view }) => ok(systemDocument(view))), PATCH: ofSystem(patchSystem) },
	{ path: `${SYSTEM}/Actions/ComputerSystem.Reset`, POST: ofSystem(resetSystem) },
];

function systemDocument(view: SystemView): Record<string, unknown> {
	const { config, boot } = view;
	const path = systemPath(view);
	return {
		"@odata.type": "#ComputerSystem.v1_10_0.ComputerSystem",
		Id: config.uuid,
		Name: config.name,
		UUID: config.uuid,
		SystemType: "Physical",
		// No real vendor's name: clients would switch that vendor's workarounds on.
		Manufacturer: "Lab",
		Model: "VirtualServer",
		SerialNumber: config.name,
		SKU: "",
		BiosVersion: "1.0",
		Status: HEALTHY,
		PowerState: view.power,
		IndicatorLED: "Off",
		HostName: null,
		Boot: {
			BootSourceOverrideEnabled: boot.enabled,
			BootSourceOverrideTarget: boot.target,
			"BootSourceOverrideTarget@Redfish.AllowableValues": OVERRIDE_TARGETS,
			BootSourceOverrideMode: boot.mode,
			"BootSourceOverrideMode@Redfish.AllowableValues": OVERRIDE_MODES,
			HttpBootUri: null,
		},
		ProcessorSummary: { Count: 1, Model: "QEMU", Status: HEALTHY },
		MemorySummary: { TotalSystemMemoryGiB: config.memoryMiB / 1024, Status: HEALTHY },
		Processors: link(`${path}/Processors`),
		Memory: link(`${path}/Memory`),
		EthernetInterfaces: link(`${path}/EthernetInterfaces`),
		SimpleStorage: link(`${path}/SimpleStorage`),
		Storage: link(`${path}/Storage`),
		Bios: link(`${path}/BIOS`),
		SecureBoot: link(`${path}/SecureBoot`),
		Links: { Chassis: [link(chassisPath(view))], ManagedBy: [link(managerPath(view))] },
		Actions: {
			"#ComputerSystem.Reset": {
				target: `${path}/Actions/ComputerSystem.Reset`,
				"ResetType@Redfish.AllowableValues": RESET_TYPES,
			},
		},
	};
}

async function patchSystem({ system, view, body }: SystemRequest): Promise<Answer> {
	const unknown = Object.keys(body).find((property) => property !== "Boot");
	const patch = body.Boot;
	if (unknown !== undefined || typeof patch !== "object" || patch === null) {
		return fault(400, "PropertyUnknown", `The property ${unknown ?? "Boot"} cannot be written.`);
	}
	const boot = patchBoot(view.boot, patch as Record<string, unknown>);
	if (isBootPatchFault(boot)) {
		return fault(400, boot.messageId, `The value of the property Boot/${boot.property} is not accepted.`);
	}
	await system.setBoot(boot);
	return NO_CONTENT;
}

async function resetSystem({ bmc, system, view, body, method, path }: SystemRequest): Promise<Answer> {
	const type = body.ResetType as ResetType;
	if (!RESET_TYPES.includes(type)) {
		return fault(
			400,
			"ActionParameterNotSupported",
			"The value of the parameter ResetType is not supported.",
		);
	}
	if (wouldPowerOn(type, view)) {
		const refusal = bmc.faults.take("refuse-power-on", method, path);
		if (refusal?.silently) return NO_CONTENT;
		if (refusal !== undefined) return fault(500, "GeneralError", "The power supply did not come on.");
	}
	await system.reset(type);
	return NO_CONTENT;
}

function wouldPowerOn(type: ResetType, { power }: SystemView): boolean {
	if (type === "PushPowerButton") return power === "Off";
	return ["On", "ForceOn", "ForceRestart", "PowerCycle"].includes(type);
}
