/**
 * The parts of Ironic's API objects that ironstrap reads or writes. Field names are Ironic's own.
 * https://docs.openstack.org/api-ref/baremetal/
 */

/** Every state of Ironic's provisioning state machine (`ironic/common/states.py`, 29.0). */
export type ProvisionState =
	| "enroll"
	| "verifying"
	| "manageable"
	| "available"
	| "active"
	| "error"
	| "inspecting"
	| "inspect wait"
	| "inspect failed"
	| "cleaning"
	| "clean wait"
	| "clean hold"
	| "clean failed"
	| "deploying"
	| "wait call-back"
	| "deploy hold"
	| "deploy failed"
	| "deleting"
	| "adopting"
	| "adopt failed"
	| "rescue"
	| "rescuing"
	| "rescue wait"
	| "rescue failed"
	| "unrescuing"
	| "unrescue failed"
	| "service"
	| "servicing"
	| "service wait"
	| "service hold"
	| "service failed";

export type PowerState = "power on" | "power off" | "rebooting" | "error";

/** A verb of `PUT /v1/nodes/{uuid}/states/provision`. */
export type ProvisionTarget =
	| "manage"
	| "inspect"
	| "provide"
	| "active"
	| "adopt"
	| "clean"
	| "abort"
	| "deleted"
	| "rebuild";

export type PowerTarget = "power on" | "power off" | "rebooting" | "soft power off" | "soft rebooting";

export interface NodeStep {
	readonly interface?: string;
	readonly step?: string;
}

/** A node in detail. Passwords in `driver_info` and the config drive come back as `******`. */
export interface IronicNode {
	readonly uuid: string;
	readonly name: string | null;
	readonly driver: string;
	readonly driver_info: Readonly<Record<string, unknown>>;
	readonly instance_info: Readonly<Record<string, unknown>>;
	readonly properties: Readonly<Record<string, unknown>>;
	readonly provision_state: ProvisionState;
	readonly target_provision_state: string | null;
	readonly power_state: PowerState | null;
	readonly target_power_state: string | null;
	readonly maintenance: boolean;
	readonly maintenance_reason: string | null;
	readonly fault: string | null;
	readonly reservation: string | null;
	readonly last_error: string | null;
	/** ISO 8601, of the last inspection that succeeded. */
	readonly inspection_finished_at?: string | null;
	readonly deploy_step?: NodeStep | null;
	readonly clean_step?: NodeStep | null;
	readonly automated_clean?: boolean | null;
	/** Since API 1.95. */
	readonly disable_power_off?: boolean | null;
	/** Since API 1.48. */
	readonly protected?: boolean | null;
	readonly network_data?: Readonly<Record<string, unknown>> | null;
	readonly boot_interface?: string | null;
	readonly deploy_interface?: string | null;
	readonly inspect_interface?: string | null;
	readonly resource_class?: string | null;
	readonly traits?: readonly string[];
}

/** The body of `POST /v1/nodes`. An absent interface leaves the choice to Ironic. */
export interface NewNode {
	readonly name: string;
	readonly driver: string;
	readonly driver_info: Readonly<Record<string, unknown>>;
	readonly properties?: Readonly<Record<string, unknown>>;
	readonly automated_clean?: boolean;
	readonly disable_power_off?: boolean;
	readonly network_data?: Readonly<Record<string, unknown>>;
	readonly bios_interface?: string;
	readonly boot_interface?: string;
	readonly deploy_interface?: string;
	readonly firmware_interface?: string;
	readonly inspect_interface?: string;
	readonly management_interface?: string;
	readonly power_interface?: string;
	readonly raid_interface?: string;
	readonly vendor_interface?: string;
}

/** One operation of a JSON patch (RFC 6902). `add` on an existing path replaces its value. */
export type PatchOperation =
	| { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
	| { readonly op: "remove"; readonly path: string };

export interface IronicPort {
	readonly uuid: string;
	readonly address: string;
	readonly node_uuid: string;
	readonly pxe_enabled: boolean;
	readonly local_link_connection?: Readonly<Record<string, unknown>>;
	readonly physical_network?: string | null;
}

export interface NewPort {
	readonly node_uuid: string;
	readonly address: string;
	readonly pxe_enabled: boolean;
}

export interface IronicDriver {
	readonly name: string;
	readonly hosts: readonly string[];
	readonly enabled_boot_interfaces?: readonly string[];
}

export interface IronicConductor {
	readonly hostname: string;
	readonly alive: boolean;
	readonly drivers?: readonly string[];
}

/** A config drive that Ironic builds itself. */
export interface ConfigDrive {
	readonly meta_data?: Readonly<Record<string, unknown>>;
	readonly user_data?: string;
	readonly network_data?: Readonly<Record<string, unknown>>;
}

export interface ProvisionRequest {
	readonly target: ProvisionTarget;
	readonly configdrive?: ConfigDrive | undefined;
	readonly clean_steps?: readonly Readonly<Record<string, unknown>>[];
	readonly deploy_steps?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** `GET /v1/nodes/{uuid}/validate`: one entry per interface; `null` means that the driver has none. */
export type NodeValidation = Readonly<
	Record<string, { readonly result: boolean | null; readonly reason?: string | null } | undefined>
>;

export interface BootDevice {
	readonly boot_device: string | null;
	readonly persistent: boolean | null;
}

/** One virtual drive of a BMC. */
export interface VirtualMedia {
	readonly image?: string | null;
	readonly inserted?: boolean | null;
	readonly media_types?: readonly string[] | null;
}
