import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Answer, collection, fault, HEALTHY, link, NO_CONTENT, ok } from "../answers.ts";
import { downloadMedium } from "../media.ts";
import type { SystemView } from "../system.ts";
import { allViews, chassisPath, managerPath, ofNamed, type SystemRequest, systemPath } from "./of-system.ts";
import { REDFISH, type Route } from "./route.ts";

const MANAGER = `${REDFISH}/Managers/:name`;
const CD = `${MANAGER}/VirtualMedia/Cd`;

/** The BMC of each server, its virtual drive, and the box around it. */
export const MANAGER_ROUTES: readonly Route[] = [
	{
		path: `${REDFISH}/Managers`,
		GET: (request) => collection("ManagerCollection", "Managers", allViews(request).map(managerPath)),
	},
	{ path: MANAGER, GET: ofNamed(({ view }) => ok(managerDocument(view))) },
	{
		path: `${MANAGER}/VirtualMedia`,
		GET: ofNamed(({ view }) =>
			collection("VirtualMediaCollection", "Virtual Media", [`${managerPath(view)}/VirtualMedia/Cd`]),
		),
	},
	{ path: CD, GET: ofNamed(({ view }) => ok(virtualMediaDocument(view))) },
	{ path: `${CD}/Actions/VirtualMedia.InsertMedia`, POST: ofNamed(insertMedia) },
	{ path: `${CD}/Actions/VirtualMedia.EjectMedia`, POST: ofNamed(ejectMedia) },
	{
		path: `${REDFISH}/Chassis`,
		GET: (request) => collection("ChassisCollection", "Chassis", allViews(request).map(chassisPath)),
	},
	{ path: `${REDFISH}/Chassis/:name`, GET: ofNamed(({ view }) => ok(chassisDocument(view))) },
];

function managerDocument(view: SystemView): Record<string, unknown> {
	return {
		"@odata.type": "#Manager.v1_3_1.Manager",
		Id: view.config.name,
		Name: "Manager",
		ManagerType: "BMC",
		UUID: view.config.uuid,
		Model: "LabBMC",
		FirmwareVersion: "1.00",
		Status: HEALTHY,
		PowerState: "On",
		DateTime: new Date().toISOString(),
		DateTimeLocalOffset: "+00:00",
		VirtualMedia: link(`${managerPath(view)}/VirtualMedia`),
		Links: {
			ManagerForServers: [link(systemPath(view))],
			ManagerForChassis: [link(chassisPath(view))],
		},
	};
}

function virtualMediaDocument(view: SystemView): Record<string, unknown> {
	const { medium } = view;
	const path = `${managerPath(view)}/VirtualMedia/Cd`;
	return {
		"@odata.type": "#VirtualMedia.v1_4_0.VirtualMedia",
		Id: "Cd",
		Name: "Virtual CD",
		MediaTypes: ["CD", "DVD"],
		Image: medium?.url ?? null,
		ImageName: medium?.url.split("/").at(-1) ?? "",
		ConnectedVia: medium === undefined ? "NotConnected" : "URI",
		Inserted: medium !== undefined,
		WriteProtected: true,
		TransferMethod: "Stream",
		TransferProtocolType: medium?.url.startsWith("https:") ? "HTTPS" : "HTTP",
		UserName: "",
		Password: null,
		VerifyCertificate: false,
		Actions: {
			"#VirtualMedia.InsertMedia": { target: `${path}/Actions/VirtualMedia.InsertMedia` },
			"#VirtualMedia.EjectMedia": { target: `${path}/Actions/VirtualMedia.EjectMedia` },
		},
	};
}

/** Fetches the whole image before it answers: an address that does not work is the caller's error, at once. */
async function insertMedia({ system, view, body }: SystemRequest): Promise<Answer> {
	const url = body.Image;
	if (typeof url !== "string" || !URL.canParse(url)) {
		return fault(400, "ActionParameterMissing", "The parameter Image must be a URI.");
	}
	if (view.medium !== undefined) return fault(409, "ResourceInUse", "A medium is inserted already.");
	const file = join(view.config.directory, `medium-${randomUUID()}.iso`);
	try {
		await downloadMedium(
			{
				url,
				verifyCertificate: body.VerifyCertificate === true,
				username: text(body.UserName),
				password: text(body.Password),
			},
			file,
		);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return fault(400, "ResourceAtUriInUnknownFormat", `The image could not be fetched: ${reason}`);
	}
	await system.insert({ url, file });
	return NO_CONTENT;
}

async function ejectMedia({ system }: SystemRequest): Promise<Answer> {
	const medium = await system.eject();
	if (medium !== undefined) await rm(medium.file, { force: true });
	return NO_CONTENT;
}

function chassisDocument(view: SystemView): Record<string, unknown> {
	return {
		"@odata.type": "#Chassis.v1_5_0.Chassis",
		Id: view.config.name,
		Name: "Chassis",
		ChassisType: "RackMount",
		Manufacturer: "Lab",
		Model: "VirtualServer",
		SerialNumber: view.config.name,
		Status: HEALTHY,
		PowerState: view.power,
		Links: { ComputerSystems: [link(systemPath(view))], ManagedBy: [link(managerPath(view))] },
	};
}

function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
