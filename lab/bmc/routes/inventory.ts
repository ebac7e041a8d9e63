import { collection, HEALTHY, link, ok } from "../answers.ts";
import type { SystemView } from "../system.ts";
import { ofSystem, systemPath } from "./of-system.ts";
import { REDFISH, type Route } from "./route.ts";

const SYSTEM = `${REDFISH}/Systems/:uuid`;

/** What is built into a server: an out-of-band inspection reads it. */
export const INVENTORY_ROUTES: readonly Route[] = [
	...list("Processors", "ProcessorCollection", "CPU0", () => ({
		"@odata.type": "#Processor.v1_0_2.Processor",
		Name: "CPU0",
		Socket: "CPU 0",
		ProcessorType: "CPU",
		ProcessorArchitecture: "x86",
		InstructionSet: "x86-64",
		Manufacturer: "QEMU",
		Model: "QEMU Virtual CPU",
		MaxSpeedMHz: 2000,
		TotalCores: 1,
		TotalThreads: 1,
		Status: HEALTHY,
	})),
	...list("Memory", "MemoryCollection", "DIMM0", ({ config }) => ({
		"@odata.type": "#Memory.v1_7_0.Memory",
		Name: "DIMM0",
		MemoryType: "DRAM",
		CapacityMiB: config.memoryMiB,
		Status: HEALTHY,
	})),
	...list("EthernetInterfaces", "EthernetInterfaceCollection", "nic0", ({ config }) => ({
		"@odata.type": "#EthernetInterface.v1_4_0.EthernetInterface",
		Name: "nic0",
		MACAddress: config.mac,
		PermanentMACAddress: config.mac,
		SpeedMbps: 1000,
		Status: HEALTHY,
	})),
	...list("SimpleStorage", "SimpleStorageCollection", "0", ({ config }) => ({
		"@odata.type": "#SimpleStorage.v1_2_0.SimpleStorage",
		Name: "virtio",
		Devices: [
			{
				"@odata.type": "#SimpleStorage.v1_1_0.Device",
				Name: "vda",
				CapacityBytes: config.diskBytes,
				Status: HEALTHY,
			},
		],
	})),
	...list("Storage", "StorageCollection", "0", (view) => ({
		"@odata.type": "#Storage.v1_4_0.Storage",
		Name: "virtio",
		Status: HEALTHY,
		Drives: [link(`${systemPath(view)}/Storage/0/Drives/vda`)],
		"Drives@odata.count": 1,
	})),
	{
		path: `${SYSTEM}/Storage/0/Drives/vda`,
		GET: ofSystem(({ view: { config } }) =>
			ok({
				"@odata.type": "#Drive.v1_4_0.Drive",
				Id: "vda",
				Name: "vda",
				CapacityBytes: config.diskBytes,
				SerialNumber: config.name,
				MediaType: "SSD",
				Status: HEALTHY,
			}),
		),
	},
];

/** A collection with one member. */
function list(
	segment: string,
	type: string,
	id: string,
	document: (view: SystemView) => Readonly<Record<string, unknown>>,
): Route[] {
	return [
		{
			path: `${SYSTEM}/${segment}`,
			GET: ofSystem(({ view }) => collection(type, segment, [`${systemPath(view)}/${segment}/${id}`])),
		},
		{ path: `${SYSTEM}/${segment}/${id}`, GET: ofSystem(({ view }) => ok({ Id: id, ...document(view) })) },
	];
}
