import { formatBmcAddress, parseBmcAddress } from "./bmc-address.ts";
import type { BmcType } from "./bmc-types.ts";

/** The part of an Ironic node that a BMC address is made of. */
export interface NodeAccess {
	readonly driver: string;
	readonly boot_interface?: string | null | undefined;
	readonly driver_info: Readonly<Record<string, unknown>>;
}

export interface BmcFromNode {
	readonly address: string;
	readonly disableCertificateVerification: boolean;
	/** Keys of `driver_info` that a BareMetalHost has no place for: BMO would not set them on the new node. */
	readonly lossy: readonly string[];
	/** A CA path from `redfish_verify_ca`: it belongs in `Ironic.spec.tls.bmcCA`. */
	readonly caPath: string | undefined;
}

/** What BMO itself sets, and what it sets for every node besides the BMC (deploy ramdisk, by its own configuration). */
const CARRIED: ReadonlySet<string> = new Set([
	"redfish_address",
	"redfish_system_id",
	"redfish_username",
	"redfish_password",
	"redfish_verify_ca",
	"ipmi_address",
	"ipmi_port",
	"ipmi_username",
	"ipmi_password",
	"ipmi_priv_level",
	"ipmi_verify_ca",
	"deploy_kernel",
	"deploy_ramdisk",
	"deploy_iso",
	"force_persistent_boot_device",
	"bootloader",
]);

const REDFISH_TYPES: Readonly<Record<string, BmcType>> = {
	"redfish ipxe": "redfish",
	"redfish pxe": "redfish",
	"redfish redfish-virtual-media": "redfish-virtualmedia",
	"redfish redfish-https": "redfish-uefihttp",
	"idrac ipxe": "idrac-redfish",
	"idrac pxe": "idrac-redfish",
	"idrac idrac-redfish-virtual-media": "idrac-virtualmedia",
};

/**
 * The BMC address from which BMO makes this node again. Throws a `RangeError` if there is none: the driver or boot
 * interface has no scheme, or the address is missing.
 */
export function bmcAddressFromNode(node: NodeAccess): BmcFromNode {
	const info = node.driver_info;
	const rest = {
		disableCertificateVerification: isFalse(info.redfish_verify_ca ?? info.ipmi_verify_ca),
		lossy: Object.keys(info)
			.filter((key) => info[key] !== null && (!CARRIED.has(key) || isMeaningful(key, info[key])))
			.sort(),
		caPath: caPathOf(info.redfish_verify_ca),
	};
	return { address: node.driver === "ipmi" ? ipmiAddress(node) : redfishAddress(node), ...rest };
}

function ipmiAddress(node: NodeAccess): string {
	if (!["ipxe", "pxe", undefined, null, ""].includes(node.boot_interface)) throw noScheme(node);
	const host = node.driver_info.ipmi_address;
	if (typeof host !== "string" || host === "") throw new RangeError("the node has no ipmi_address");
	const port = Number(node.driver_info.ipmi_port ?? 623);
	const level = node.driver_info.ipmi_priv_level;
	return checked(
		formatBmcAddress({
			scheme: "ipmi",
			host,
			port: port === 623 ? undefined : port,
			systemId: undefined,
			privilegeLevel: typeof level === "string" ? level : undefined,
		}),
	);
}

function redfishAddress(node: NodeAccess): string {
	const type = REDFISH_TYPES[`${node.driver} ${node.boot_interface ?? "ipxe"}`];
	if (type === undefined) throw noScheme(node);
	const text = node.driver_info.redfish_address;
	if (typeof text !== "string" || text === "") throw new RangeError("the node has no redfish_address");
	// Ironic takes an address without a scheme as https.
	const match = /^(?:(https?):\/\/)?([^/?#]+)\/?$/i.exec(text);
	if (!match?.[2]) throw new RangeError("the node's redfish_address is not scheme://host[:port]");
	const systemId = node.driver_info.redfish_system_id;
	const transport = match[1]?.toLowerCase() === "http" ? "+http" : "";
	return checked(`${type}${transport}://${match[2]}${typeof systemId === "string" ? systemId : ""}`);
}

function checked(address: string): string {
	parseBmcAddress(address);
	return address;
}

/** Drivers that Ironic or BMO had once, for servers whose BMCs speak Redfish as well. */
const RETIRED: ReadonlySet<string> = new Set(["ilo", "ilo5", "irmc", "ibmc", "xclarity"]);

function noScheme({ boot_interface, driver }: NodeAccess): RangeError {
	const interfaces = `driver ${JSON.stringify(driver)} with boot interface ${JSON.stringify(boot_interface ?? "")}`;
	const wsman = driver === "idrac" && /wsman|^idrac$/.test(boot_interface ?? "");
	const instead = RETIRED.has(driver) || wsman ? "; it has been removed: take the server's Redfish" : "";
	return new RangeError(`${interfaces} has no BMC address scheme${instead}`);
}

/** Ironic keeps what it was given: `false`, `"False"`, `"0"`, … (oslo's strutils). */
function isFalse(value: unknown): boolean {
	return value === false || (typeof value === "string" && /^(0|f|false|off|n|no)$/i.test(value.trim()));
}

function caPathOf(value: unknown): string | undefined {
	return typeof value === "string" && value.startsWith("/") ? value : undefined;
}

/** Of the carried keys, those that differ from what BMO leaves Ironic to choose. */
function isMeaningful(key: string, value: unknown): boolean {
	if (key === "force_persistent_boot_device") return value !== "Default" && value !== "default";
	return key === "bootloader" && value !== null && value !== "";
}
