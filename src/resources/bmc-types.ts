/**
 * The BMC types of baremetal-operator v0.14.0-rc.0: one per address scheme.
 * https://github.com/metal3-io/baremetal-operator/tree/v0.14.0-rc.0/pkg/hardwareutils/bmc
 */
export type BmcType =
	| "redfish"
	| "redfish-virtualmedia"
	| "redfish-uefihttp"
	| "ilo5-redfish"
	| "ilo5-virtualmedia"
	| "idrac-redfish"
	| "idrac-virtualmedia"
	| "ipmi"
	| "libvirt";

/** What BMO derives from the scheme alone. */
export interface BmcTypeFacts {
	readonly driver: "redfish" | "idrac" | "ipmi";
	readonly bootInterface: string;
	/** Interfaces that BMO sets besides the boot interface, by the name of Ironic's node field. */
	readonly interfaces: Readonly<Record<string, string>>;
	/** The server boots over PXE and so needs the provisioning network with its DHCP. */
	readonly networkBoot: boolean;
}

const REDFISH = { firmware_interface: "redfish", inspect_interface: "redfish", raid_interface: "redfish" };
const IDRAC = {
	bios_interface: "idrac-redfish",
	firmware_interface: "redfish",
	inspect_interface: "redfish",
	management_interface: "idrac-redfish",
	power_interface: "idrac-redfish",
	raid_interface: "idrac-redfish",
	vendor_interface: "idrac-redfish",
};

const redfish = (bootInterface: string): BmcTypeFacts => ({
	driver: "redfish",
	bootInterface,
	interfaces: REDFISH,
	networkBoot: bootInterface === "ipxe",
});
const idrac = (bootInterface: string): BmcTypeFacts => ({
	driver: "idrac",
	bootInterface,
	interfaces: IDRAC,
	networkBoot: bootInterface === "ipxe",
});
const IPMI: BmcTypeFacts = {
	driver: "ipmi",
	bootInterface: "ipxe",
	interfaces: { raid_interface: "no-raid" },
	networkBoot: true,
};

export const BMC_TYPES: Readonly<Record<BmcType, BmcTypeFacts>> = {
	redfish: redfish("ipxe"),
	"redfish-virtualmedia": redfish("redfish-virtual-media"),
	"redfish-uefihttp": redfish("redfish-https"),
	"ilo5-redfish": redfish("ipxe"),
	"ilo5-virtualmedia": redfish("redfish-virtual-media"),
	"idrac-redfish": idrac("ipxe"),
	"idrac-virtualmedia": idrac("idrac-redfish-virtual-media"),
	ipmi: IPMI,
	libvirt: IPMI,
};

/** Schemes that BMO had once and what replaces them, for the message. */
export const REMOVED_BMC_TYPES: Readonly<Record<string, string>> = {
	idrac: "idrac-redfish",
	"idrac-wsman": "idrac-redfish",
	ilo4: "ipmi",
	"ilo4-virtualmedia": "ipmi",
	ilo5: "ilo5-redfish",
	irmc: "redfish",
	ibmc: "redfish",
};

/** Every scheme that BMO knows, for messages. */
export const BMC_SCHEMES: readonly string[] = Object.keys(BMC_TYPES).flatMap((type) =>
	type === "ipmi" || type === "libvirt" ? [type] : [type, `${type}+http`, `${type}+https`],
);
