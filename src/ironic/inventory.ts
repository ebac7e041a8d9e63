/**
 * What the ramdisk found, as `GET /v1/nodes/{uuid}/inventory` returns it. Everything may be absent or null: the
 * agent reports what the machine tells it.
 * https://docs.openstack.org/ironic-python-agent/latest/admin/how_it_works.html#inspection-data
 */
export interface InventoryData {
	readonly inventory: AgentInventory;
	readonly plugin_data?: PluginData | null;
}

export interface AgentInventory {
	readonly hostname?: string | null;
	readonly bmc_address?: string | null;
	readonly system_vendor?: {
		readonly product_name?: string | null;
		readonly serial_number?: string | null;
		readonly manufacturer?: string | null;
		readonly firmware?: {
			readonly vendor?: string | null;
			readonly version?: string | null;
			readonly build_date?: string | null;
		} | null;
	} | null;
	readonly memory?: { readonly total?: number | null; readonly physical_mb?: number | null } | null;
	readonly cpu?: {
		readonly architecture?: string | null;
		readonly model_name?: string | null;
		readonly count?: number | null;
		/** Megahertz as text: `2095.0760`. */
		readonly frequency?: string | null;
		readonly flags?: readonly string[] | null;
	} | null;
	readonly interfaces?: readonly AgentInterface[] | null;
	readonly disks?: readonly AgentDisk[] | null;
}

export interface AgentInterface {
	readonly name?: string | null;
	readonly mac_address?: string | null;
	readonly ipv4_address?: string | null;
	readonly ipv6_address?: string | null;
	readonly vendor?: string | null;
	readonly product?: string | null;
	readonly speed_mbps?: number | null;
	readonly pci_address?: string | null;
	readonly has_carrier?: boolean | null;
}

export interface AgentDisk {
	/** `/dev/sda`: may change at the next boot. */
	readonly name?: string | null;
	/** `/dev/disk/by-path/…`. */
	readonly by_path?: string | null;
	/** Bytes. */
	readonly size?: number | null;
	readonly rotational?: boolean | null;
	readonly vendor?: string | null;
	readonly model?: string | null;
	readonly serial?: string | null;
	readonly wwn?: string | null;
	readonly wwn_with_extension?: string | null;
	readonly wwn_vendor_extension?: string | null;
	readonly hctl?: string | null;
}

export interface PluginData {
	readonly all_interfaces?: Readonly<
		Record<string, { readonly pxe_enabled?: boolean | null } | undefined>
	> | null;
	readonly parsed_lldp?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | null;
}
