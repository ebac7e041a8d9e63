import { parseMacAddress } from "../resources/mac-address.ts";
import type { ManagerDocuments, RedfishDocuments, Resource, SystemDocuments } from "./documents.ts";
import type { ManagerFacts, MediaSlot, NicFacts, RedfishFacts, SystemFacts } from "./facts.ts";
import { numberIn, objectIn, textIn, textsIn } from "./json.ts";

/** Redfish documents → what they say, whoever made the BMC. */
export function interpretDocuments(documents: RedfishDocuments): RedfishFacts {
	const { root, systems, managers } = documents;
	return {
		vendor: textIn(root.Vendor) ?? Object.keys(objectIn(root.Oem))[0] ?? manufacturerOf(systems),
		product: textIn(root.Product) ?? textIn(managers[0]?.body.Model),
		redfishVersion: textIn(root.RedfishVersion),
		managers: managers.map(managerFacts),
		systems: systems.map((system) => systemFacts(system, managersOf(system, managers))),
		clock: managers.map(({ body }) => clockOf(body)).find((time) => time !== undefined),
	};
}

/** Whether a document is the root of a Redfish service, and not some web interface's idea of an answer. */
export function isServiceRoot(body: unknown): boolean {
	const root = objectIn(body);
	return (
		typeof root.RedfishVersion === "string" ||
		/#ServiceRoot\./.test(String(root["@odata.type"])) ||
		("Systems" in root && "Managers" in root)
	);
}

function manufacturerOf(systems: readonly SystemDocuments[]): string | undefined {
	return textIn(systems[0]?.body.Manufacturer);
}

function managersOf(system: SystemDocuments, managers: readonly ManagerDocuments[]) {
	const own = managers.filter(({ manages }) => manages.includes(system.path));
	// one that does not say whom it manages manages all there is
	return own.length > 0 ? own : managers.filter(({ manages }) => manages.length === 0);
}

function managerFacts({ path, body }: ManagerDocuments): ManagerFacts {
	return {
		id: textIn(body.Id) ?? path,
		model: textIn(body.Model),
		firmware: textIn(body.FirmwareVersion),
	};
}

function systemFacts(system: SystemDocuments, managers: readonly ManagerDocuments[]): SystemFacts {
	const { path, body } = system;
	const boot = objectIn(body.Boot);
	const media = system.media.map((slot) => mediaSlot(slot, "System"));
	return {
		path,
		id: textIn(body.Id) ?? path.slice(path.lastIndexOf("/") + 1),
		name: textIn(body.Name),
		manufacturer: textIn(body.Manufacturer),
		model: textIn(body.Model),
		serialNumber: textIn(body.SerialNumber),
		power: textIn(body.PowerState),
		bootTargets: textsIn(boot["BootSourceOverrideTarget@Redfish.AllowableValues"]).filter(
			(target) => target !== "None",
		),
		bootModes: textsIn(boot["BootSourceOverrideMode@Redfish.AllowableValues"]),
		nics: system.nics.flatMap(nicFacts),
		media: [
			...media,
			...managers.flatMap((manager) => manager.media.map((slot) => mediaSlot(slot, "Manager"))),
		],
	};
}

function nicFacts({ path, body }: Resource): readonly NicFacts[] {
	const id = textIn(body.Id) ?? path.slice(path.lastIndexOf("/") + 1);
	// the address in use, because that is the one that a DHCP request carries
	const text = textIn(body.MACAddress) ?? textIn(body.PermanentMACAddress);
	const mac = text === undefined ? undefined : macOf(text);
	if (mac === undefined || mac === "00:00:00:00:00:00") return [];
	const link = textIn(body.LinkStatus);
	return [
		{
			id,
			mac,
			speedMbps: numberIn(body.SpeedMbps) || undefined,
			linkUp: link === undefined ? undefined : link === "LinkUp",
			// "ToManager" (Lenovo, Supermicro), "ToHost" and USB gadgets (OpenBMC, HPE's virtual NIC)
			toBmc: /tomanager|tohost|^usb\d*$|bmc[-_ ]?usb|hostinterface/i.test(id),
		},
	];
}

function macOf(text: string): string | undefined {
	try {
		return parseMacAddress(text);
	} catch {
		return undefined; // e.g. the 20 bytes of InfiniBand
	}
}

function mediaSlot({ path, body }: Resource, where: MediaSlot["where"]): MediaSlot {
	const types = textsIn(body.MediaTypes);
	return {
		path,
		where,
		cd: types.some((type) => type === "CD" || type === "DVD"),
		insertMedia: "#VirtualMedia.InsertMedia" in objectIn(body.Actions),
		inserted: body.Inserted === true,
	};
}

function clockOf(body: Resource["body"]): number | undefined {
	const text = textIn(body.DateTime);
	if (text === undefined) return undefined;
	const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	const offset = textIn(body.DateTimeLocalOffset) ?? "Z";
	const time = Date.parse(hasZone ? text : text + offset);
	return Number.isNaN(time) ? undefined : time;
}
