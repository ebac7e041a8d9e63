import type { AgentDisk, AgentInterface, InventoryData } from "../ironic/inventory.ts";
import type { HardwareDetails, Nic, Storage } from "../resources/hardware-data.ts";

/**
 * Ironic's inventory as BMO's HardwareDetails. As in BMO's JSON, what is empty, zero or false is left out.
 * https://github.com/metal3-io/baremetal-operator/blob/main/pkg/provisioner/ironic/hardwaredetails/hardwaredetails.go
 */
export function hardwareDetails({ inventory, plugin_data: plugins }: InventoryData): HardwareDetails {
	const vendor = inventory.system_vendor;
	const bios = vendor?.firmware;
	const { cpu } = inventory;
	return compact({
		systemVendor: compact({
			manufacturer: vendor?.manufacturer,
			productName: vendor?.product_name,
			serialNumber: vendor?.serial_number,
		}),
		firmware: { bios: compact({ date: bios?.build_date, vendor: bios?.vendor, version: bios?.version }) },
		ramMebibytes: inventory.memory?.physical_mb,
		nics: notEmpty((inventory.interfaces ?? []).flatMap((nic) => nicsOf(nic, plugins))),
		storage: notEmpty((inventory.disks ?? []).map(storageOf)),
		cpu: compact({
			arch: cpu?.architecture,
			model: cpu?.model_name,
			clockMegahertz: Math.round(Number.parseFloat(cpu?.frequency ?? "")),
			flags: notEmpty([...(cpu?.flags ?? [])].sort()),
			count: cpu?.count,
		}),
		hostname: inventory.hostname,
	});
}

/** One entry per address: an interface with both families appears twice, one without any appears once. */
function nicsOf(nic: AgentInterface, plugins: InventoryData["plugin_data"]): Nic[] {
	const lldp = plugins?.parsed_lldp?.[nic.name ?? ""];
	const common = {
		name: nic.name,
		model: `${nic.vendor ?? ""} ${nic.product ?? ""}`.trimStart(),
		mac: nic.mac_address,
		speedGbps: Math.trunc((nic.speed_mbps ?? 0) / 1000),
		pxe: plugins?.all_interfaces?.[nic.name ?? ""]?.pxe_enabled,
		vlanId: numberOf(lldp?.switch_port_untagged_vlan_id),
		vlans: vlansOf(lldp?.switch_port_vlans),
		lldp: notEmptyObject(
			compact({
				switchID: textOf(lldp?.switch_chassis_id),
				portID: textOf(lldp?.switch_port_id),
				switchSystemName: textOf(lldp?.switch_system_name),
			}),
		),
		pciAddress: nic.pci_address,
	};
	const addresses = [nic.ipv4_address, nic.ipv6_address].filter((address) => !isEmpty(address));
	return (addresses.length > 0 ? addresses : [undefined]).map((ip) => compact<Nic>({ ...common, ip }));
}

/** The by-path name leads, because `/dev/sda` may be another disk after the next boot. */
function storageOf(disk: AgentDisk): Storage {
	return compact<Storage>({
		name: disk.by_path || disk.name,
		alternateNames: notEmpty([disk.name, disk.by_path].filter((name): name is string => !isEmpty(name))),
		rotational: disk.rotational,
		type: disk.rotational === true ? "HDD" : (disk.name ?? "").startsWith("/dev/nvme") ? "NVME" : "SSD",
		sizeBytes: disk.size,
		vendor: disk.vendor,
		model: disk.model,
		serialNumber: disk.serial,
		wwn: disk.wwn,
		wwnVendorExtension: disk.wwn_vendor_extension,
		wwnWithExtension: disk.wwn_with_extension,
		hctl: disk.hctl,
	});
}

function vlansOf(value: unknown): NonNullable<Nic["vlans"]> | undefined {
	if (!Array.isArray(value)) return undefined;
	return notEmpty(
		value.map((vlan: { id?: unknown; name?: unknown }) =>
			compact<NonNullable<Nic["vlans"]>[number]>({ id: numberOf(vlan.id), name: textOf(vlan.name) }),
		),
	);
}

/** Drops what Go's `omitempty` drops. */
function compact<T extends object>(value: { readonly [K in keyof T]: T[K] | null | undefined }): T {
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => !isEmpty(entry))) as T;
}

function isEmpty(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		value === "" ||
		value === false ||
		value === 0 ||
		Number.isNaN(value)
	);
}

function notEmpty<T>(list: T[]): T[] | undefined {
	return list.length > 0 ? list : undefined;
}

function notEmptyObject<T extends object>(value: T): T | undefined {
	return Object.keys(value).length > 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
	return typeof value === "number" ? value : undefined;
}
