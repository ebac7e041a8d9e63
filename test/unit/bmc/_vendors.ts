import type { Json } from "../../../src/bmc/json.ts";

/*
 * Redfish documents in the shape of four vendors' firmware. They are WRITTEN FROM DOCUMENTATION (the DMTF schemas and
 * the vendors' public API guides), not recorded from hardware, and hold only what the probe reads. What is kept of each
 * vendor is what differs: ids, slashes at the end of links, where the drives are, which actions they have, empty texts.
 */
export type Service = Readonly<Record<string, Json>>;

const link = (path: string) => ({ "@odata.id": path });
const list = (...paths: string[]) => ({ Members: paths.map(link), "Members@odata.count": paths.length });
const insert = {
	"#VirtualMedia.InsertMedia": { target: "/x" },
	"#VirtualMedia.EjectMedia": { target: "/y" },
};

/** iDRAC 9 before 6.0: drives at the Manager. */
export const dell: Service = {
	"/redfish/v1/": {
		"@odata.type": "#ServiceRoot.v1_8_0.ServiceRoot",
		RedfishVersion: "1.11.0",
		Vendor: "Dell",
		Product: "Integrated Dell Remote Access Controller",
		Systems: link("/redfish/v1/Systems"),
		Managers: link("/redfish/v1/Managers"),
	},
	"/redfish/v1/Systems": list("/redfish/v1/Systems/System.Embedded.1"),
	"/redfish/v1/Systems/System.Embedded.1": {
		Id: "System.Embedded.1",
		Name: "System",
		Manufacturer: "Dell Inc.",
		Model: "PowerEdge R650",
		SerialNumber: "CNFCP0012300AB",
		PowerState: "On",
		Boot: {
			"BootSourceOverrideTarget@Redfish.AllowableValues": [
				"None",
				"Pxe",
				"Floppy",
				"Cd",
				"Hdd",
				"BiosSetup",
				"Utilities",
				"UefiTarget",
				"SDCard",
				"UefiHttp",
			],
			BootSourceOverrideMode: "UEFI",
		},
		EthernetInterfaces: link("/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces"),
	},
	"/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces": list(
		"/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces/NIC.Embedded.1-1-1",
		"/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces/NIC.Integrated.1-1-1",
	),
	"/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces/NIC.Embedded.1-1-1": {
		Id: "NIC.Embedded.1-1-1",
		MACAddress: "B0:7B:25:00:00:01",
		LinkStatus: "LinkDown",
		SpeedMbps: 0,
	},
	"/redfish/v1/Systems/System.Embedded.1/EthernetInterfaces/NIC.Integrated.1-1-1": {
		Id: "NIC.Integrated.1-1-1",
		MACAddress: "B0:7B:25:00:00:10",
		LinkStatus: "LinkUp",
		SpeedMbps: 25000,
	},
	"/redfish/v1/Managers": list("/redfish/v1/Managers/iDRAC.Embedded.1"),
	"/redfish/v1/Managers/iDRAC.Embedded.1": {
		Id: "iDRAC.Embedded.1",
		Model: "15G Monolithic",
		FirmwareVersion: "5.10.50.00",
		DateTime: "2026-03-01T07:00:00-05:00",
		DateTimeLocalOffset: "-05:00",
		VirtualMedia: link("/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia"),
		Links: { ManagerForServers: [link("/redfish/v1/Systems/System.Embedded.1")] },
	},
	"/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia": list(
		"/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/RemovableDisk",
		"/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/CD",
	),
	"/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/RemovableDisk": {
		Id: "RemovableDisk",
		MediaTypes: ["USBStick"],
		Inserted: false,
		Actions: insert,
	},
	"/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/CD": {
		Id: "CD",
		MediaTypes: ["CD", "DVD"],
		Inserted: false,
		Actions: insert,
	},
};

/** iLO 5: every link ends in a slash. */
export const hpe: Service = {
	"/redfish/v1/": {
		"@odata.type": "#ServiceRoot.v1_5_1.ServiceRoot",
		RedfishVersion: "1.6.0",
		Vendor: "HPE",
		Product: "ProLiant DL360 Gen10",
		Oem: { Hpe: {} },
		Systems: link("/redfish/v1/Systems/"),
		Managers: link("/redfish/v1/Managers/"),
	},
	"/redfish/v1/Systems": list("/redfish/v1/Systems/1/"),
	"/redfish/v1/Systems/1": {
		Id: "1",
		Name: "Computer System",
		Manufacturer: "HPE",
		Model: "ProLiant DL360 Gen10",
		SerialNumber: "CZJ00000AB",
		PowerState: "Off",
		Boot: {
			"BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Cd", "Hdd", "Usb", "Pxe", "UefiHttp"],
			"BootSourceOverrideMode@Redfish.AllowableValues": ["Legacy", "UEFI"],
		},
		EthernetInterfaces: link("/redfish/v1/Systems/1/EthernetInterfaces/"),
	},
	"/redfish/v1/Systems/1/EthernetInterfaces": list("/redfish/v1/Systems/1/EthernetInterfaces/1/"),
	"/redfish/v1/Systems/1/EthernetInterfaces/1": {
		Id: "1",
		MACAddress: "9c:8c:d8:00:00:01",
		LinkStatus: null,
	},
	"/redfish/v1/Managers": list("/redfish/v1/Managers/1/"),
	"/redfish/v1/Managers/1": {
		Id: "1",
		Model: "iLO 5",
		FirmwareVersion: "iLO 5 v2.72",
		DateTime: "2026-03-01T12:00:00Z",
		DateTimeLocalOffset: "+00:00",
		VirtualMedia: link("/redfish/v1/Managers/1/VirtualMedia/"),
		Links: { ManagerForServers: [link("/redfish/v1/Systems/1/")] },
	},
	"/redfish/v1/Managers/1/VirtualMedia": list(
		"/redfish/v1/Managers/1/VirtualMedia/1/",
		"/redfish/v1/Managers/1/VirtualMedia/2/",
	),
	"/redfish/v1/Managers/1/VirtualMedia/1": { Id: "1", MediaTypes: ["Floppy", "USBStick"], Actions: insert },
	"/redfish/v1/Managers/1/VirtualMedia/2": {
		Id: "2",
		MediaTypes: ["CD", "DVD"],
		Inserted: true,
		Actions: insert,
	},
};

/** X11 without its licence: the drive is listed, its action is not. */
export const supermicro: Service = {
	"/redfish/v1/": {
		"@odata.type": "#ServiceRoot.v1_5_2.ServiceRoot",
		RedfishVersion: "1.8.0",
		Oem: { Supermicro: {} },
		Systems: link("/redfish/v1/Systems"),
		Managers: link("/redfish/v1/Managers"),
	},
	"/redfish/v1/Systems": list("/redfish/v1/Systems/1"),
	"/redfish/v1/Systems/1": {
		Id: "1",
		Name: "System",
		Manufacturer: "Supermicro",
		Model: "SYS-1029U",
		SerialNumber: " ",
		PowerState: "On",
		Boot: { "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd", "UsbCd"] },
		EthernetInterfaces: link("/redfish/v1/Systems/1/EthernetInterfaces"),
	},
	"/redfish/v1/Systems/1/EthernetInterfaces": list(
		"/redfish/v1/Systems/1/EthernetInterfaces/ToManager",
		"/redfish/v1/Systems/1/EthernetInterfaces/1",
		"/redfish/v1/Systems/1/EthernetInterfaces/2",
	),
	"/redfish/v1/Systems/1/EthernetInterfaces/ToManager": { Id: "ToManager", MACAddress: "BE:3A:F2:B6:05:9F" },
	"/redfish/v1/Systems/1/EthernetInterfaces/1": { Id: "1", MACAddress: "AC1F6B000001" },
	"/redfish/v1/Systems/1/EthernetInterfaces/2": { Id: "2", MACAddress: "" },
	"/redfish/v1/Managers": list("/redfish/v1/Managers/1"),
	"/redfish/v1/Managers/1": {
		Id: "1",
		FirmwareVersion: "01.73.11",
		DateTime: "2026-03-01T12:00:00",
		DateTimeLocalOffset: "+02:00",
		VirtualMedia: link("/redfish/v1/Managers/1/VirtualMedia"),
	},
	"/redfish/v1/Managers/1/VirtualMedia": list("/redfish/v1/Managers/1/VirtualMedia/CD1"),
	"/redfish/v1/Managers/1/VirtualMedia/CD1": { Id: "CD1", MediaTypes: ["CD", "DVD"] },
};

/** XCC: drives at the System, several kinds of them, and a USB card towards the BMC. */
export const lenovo: Service = {
	"/redfish/v1/": {
		"@odata.type": "#ServiceRoot.v1_13_0.ServiceRoot",
		RedfishVersion: "1.15.0",
		Vendor: "Lenovo",
		Product: "XClarity Controller",
		Systems: link("/redfish/v1/Systems"),
		Managers: link("/redfish/v1/Managers"),
	},
	"/redfish/v1/Systems": list("/redfish/v1/Systems/1"),
	"/redfish/v1/Systems/1": {
		Id: "1",
		Name: "ComputeSystem",
		Manufacturer: "Lenovo",
		Model: "7Z71CTO1WW",
		SerialNumber: "J30000AB",
		PowerState: "On",
		Boot: { "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Cd", "Usb", "Hdd"] },
		EthernetInterfaces: link("/redfish/v1/Systems/1/EthernetInterfaces"),
		VirtualMedia: link("/redfish/v1/Systems/1/VirtualMedia"),
	},
	"/redfish/v1/Systems/1/EthernetInterfaces": list(
		"/redfish/v1/Systems/1/EthernetInterfaces/NIC1",
		"/redfish/v1/Systems/1/EthernetInterfaces/ToManager",
	),
	"/redfish/v1/Systems/1/EthernetInterfaces/NIC1": {
		Id: "NIC1",
		PermanentMACAddress: "08:C0:EB:00:00:01",
		SpeedMbps: 10000,
		LinkStatus: "LinkUp",
	},
	"/redfish/v1/Systems/1/EthernetInterfaces/ToManager": { Id: "ToManager", MACAddress: "7E:D3:0A:00:00:01" },
	"/redfish/v1/Systems/1/VirtualMedia": list(
		"/redfish/v1/Systems/1/VirtualMedia/EXT1",
		"/redfish/v1/Systems/1/VirtualMedia/RDOC1",
	),
	"/redfish/v1/Systems/1/VirtualMedia/EXT1": {
		Id: "EXT1",
		MediaTypes: ["CD", "DVD", "USBStick"],
		Actions: insert,
	},
	"/redfish/v1/Systems/1/VirtualMedia/RDOC1": { Id: "RDOC1", MediaTypes: ["USBStick"] },
	"/redfish/v1/Managers": list("/redfish/v1/Managers/1"),
	"/redfish/v1/Managers/1": { Id: "1", Model: "XClarity Controller", FirmwareVersion: "AFBT58C 5.70" },
};
