import test from "ava";
import { hardwareDetails } from "../../../src/hosts/hardware-details.ts";
import { hardwareDetailsSchema } from "../../../src/resources/hardware-data.ts";

/** What the agent of ironic-python-agent 10 reports of a QEMU machine, with a second disk and LLDP added. */
const REPORTED = {
	inventory: {
		hostname: "localhost",
		bmc_address: "0.0.0.0",
		system_vendor: {
			product_name: "Standard PC (Q35 + ICH9, 2009)",
			serial_number: "",
			manufacturer: "QEMU",
			firmware: { vendor: "EFI Development Kit II / OVMF", version: "2022.11-6", build_date: "02/02/2022" },
		},
		memory: { total: 2_079_440_896, physical_mb: 2048 },
		cpu: {
			architecture: "x86_64",
			model_name: "Intel Xeon Processor",
			count: 2,
			frequency: "2095.0760",
			flags: ["sse2", "fpu", "nx"],
		},
		interfaces: [
			{
				name: "enp0s2",
				mac_address: "52:54:00:ab:00:01",
				ipv4_address: "172.22.0.101",
				ipv6_address: "fd00:1abc::101",
				vendor: "0x1af4",
				product: "0x0001",
				speed_mbps: 25_000,
				pci_address: "0000:00:02.0",
				has_carrier: true,
			},
			{
				name: "enp0s3",
				mac_address: "52:54:00:ab:00:02",
				ipv4_address: null,
				ipv6_address: null,
				vendor: null,
				product: null,
				speed_mbps: null,
			},
		],
		disks: [
			{
				name: "/dev/sda",
				by_path: "/dev/disk/by-path/pci-0000:00:1f.2-ata-1",
				size: 4_294_967_296,
				rotational: true,
				vendor: "ATA",
				model: "QEMU HARDDISK",
				serial: "QM00001",
				wwn: null,
				wwn_with_extension: null,
				wwn_vendor_extension: null,
				hctl: "0:0:0:0",
			},
			{
				name: "/dev/nvme0n1",
				by_path: null,
				size: 1_000_204_886_016,
				rotational: false,
				model: "PM983",
				serial: "S439NA0",
				wwn: "eui.0025",
			},
			{ name: "/dev/vda", size: 10, rotational: false },
		],
	},
	plugin_data: {
		all_interfaces: { enp0s2: { pxe_enabled: true }, enp0s3: { pxe_enabled: false } },
		parsed_lldp: {
			enp0s2: {
				switch_chassis_id: "11:22:33:aa:bb:cc",
				switch_port_id: "Ethernet1/18",
				switch_system_name: "tor-1",
				switch_port_untagged_vlan_id: 101,
				switch_port_vlans: [
					{ id: 101, name: "prov" },
					{ id: 102, name: "" },
				],
			},
		},
	},
};

test("an inventory becomes what BMO would write, empty values left out", (t) => {
	const nic = {
		name: "enp0s2",
		model: "0x1af4 0x0001",
		mac: "52:54:00:ab:00:01",
		speedGbps: 25,
		pxe: true,
		vlanId: 101,
		vlans: [{ id: 101, name: "prov" }, { id: 102 }],
		lldp: { switchID: "11:22:33:aa:bb:cc", portID: "Ethernet1/18", switchSystemName: "tor-1" },
		pciAddress: "0000:00:02.0",
	};
	const details = hardwareDetails(REPORTED);
	t.deepEqual(details, {
		systemVendor: { manufacturer: "QEMU", productName: "Standard PC (Q35 + ICH9, 2009)" },
		firmware: { bios: { vendor: "EFI Development Kit II / OVMF", version: "2022.11-6", date: "02/02/2022" } },
		ramMebibytes: 2048,
		nics: [
			{ ...nic, ip: "172.22.0.101" },
			{ ...nic, ip: "fd00:1abc::101" },
			{ name: "enp0s3", mac: "52:54:00:ab:00:02" },
		],
		storage: [
			{
				name: "/dev/disk/by-path/pci-0000:00:1f.2-ata-1",
				alternateNames: ["/dev/sda", "/dev/disk/by-path/pci-0000:00:1f.2-ata-1"],
				rotational: true,
				type: "HDD",
				sizeBytes: 4_294_967_296,
				vendor: "ATA",
				model: "QEMU HARDDISK",
				serialNumber: "QM00001",
				hctl: "0:0:0:0",
			},
			{
				name: "/dev/nvme0n1",
				alternateNames: ["/dev/nvme0n1"],
				type: "NVME",
				sizeBytes: 1_000_204_886_016,
				model: "PM983",
				serialNumber: "S439NA0",
				wwn: "eui.0025",
			},
			{ name: "/dev/vda", alternateNames: ["/dev/vda"], type: "SSD", sizeBytes: 10 },
		],
		cpu: {
			arch: "x86_64",
			model: "Intel Xeon Processor",
			clockMegahertz: 2095,
			flags: ["fpu", "nx", "sse2"],
			count: 2,
		},
		hostname: "localhost",
	});
	t.deepEqual(hardwareDetailsSchema.parse(details), details);
});

test("an inventory without anything is no failure", (t) => {
	t.deepEqual(hardwareDetails({ inventory: {} }), { systemVendor: {}, firmware: { bios: {} }, cpu: {} });
	t.deepEqual(
		hardwareDetails({
			inventory: { interfaces: null, disks: null, cpu: { frequency: "unknown" } },
			plugin_data: null,
		}),
		{
			systemVendor: {},
			firmware: { bios: {} },
			cpu: {},
		},
	);
});
