import { isDeepStrictEqual } from "node:util";
import { atLeast, SINCE } from "../ironic/microversion.ts";
import type { IronicNode, NewNode, PatchOperation } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { driverInfo, parseBmcAddress } from "../resources/bmc-address.ts";
import type { Credentials } from "../resources/credentials.ts";
import type { HardwareDetails } from "../resources/hardware-data.ts";
import { wantsPlainMedia } from "../resources/virtual-media.ts";
import { nodeNameOf } from "./host-name.ts";
import { capabilities, deployInterface } from "./instance.ts";

/** What the node is made of besides the host itself. */
export interface EnrolmentInputs {
	readonly credentials: Credentials;
	readonly hardware: HardwareDetails | undefined;
	/** For the ramdisk, which gets no address by DHCP then. */
	readonly networkData: Record<string, unknown> | undefined;
	/** Where a BMC that cannot use HTTPS fetches virtual media. */
	readonly plainMediaUrl?: string | undefined;
	/** What the stack adds, such as the proxy of ramdisks that download images themselves. */
	readonly driverInfo?: Readonly<Record<string, string>> | undefined;
	/** The negotiated API version: `disable_power_off` exists since 1.95. */
	readonly microversion: string;
}

/** The node that BMO would create for this host. Contains the BMC's password. */
export function newNode(host: BareMetalHost, inputs: EnrolmentInputs): NewNode {
	const { spec } = host;
	const address = parseBmcAddress(spec.bmc?.address ?? "");
	const deployment = deployInterface(host);
	return {
		name: nodeNameOf(host),
		driver: address.driver,
		driver_info: {
			...driverInfo(address, inputs.credentials, {
				disableCertificateVerification: spec.bmc?.disableCertificateVerification,
			}),
			...(wantsPlainMedia(host) && inputs.plainMediaUrl !== undefined
				? { external_http_url: inputs.plainMediaUrl }
				: {}),
			...inputs.driverInfo,
		},
		...address.interfaces,
		// In band, whatever the BMC could tell: only the ramdisk sees disks by path and LLDP.
		inspect_interface: "agent",
		boot_interface: address.bootInterface,
		...(deployment === undefined ? {} : { deploy_interface: deployment }),
		automated_clean: spec.automatedCleaningMode !== "disabled",
		...(atLeast(inputs.microversion, SINCE.disablePowerOff)
			? { disable_power_off: spec.disablePowerOff === true }
			: {}),
		...(inputs.networkData === undefined ? {} : { network_data: inputs.networkData }),
		properties: {
			capabilities: capabilities(spec.bootMode, undefined),
			...architecture(host, inputs.hardware),
		},
	};
}

/** States in which Ironic lets the interfaces of a node be changed. */
const INTERFACES_MUTABLE: readonly string[] = ["enroll", "manageable", "available"];

/**
 * What makes an existing node the one that `newNode` would be. `driver_info` is replaced as a whole and always:
 * Ironic does not give the password back, so that a changed one cannot be seen.
 */
export function configurationPatch(
	host: BareMetalHost,
	node: IronicNode,
	inputs: EnrolmentInputs,
): PatchOperation[] {
	const wanted = newNode(host, inputs);
	const patch: PatchOperation[] = [{ op: "add", path: "/driver_info", value: wanted.driver_info }];
	const set = (field: keyof NewNode & keyof IronicNode) => {
		if (wanted[field] === undefined || isDeepStrictEqual(wanted[field], node[field])) return;
		patch.push({ op: "add", path: `/${field}`, value: wanted[field] });
	};
	set("name");
	set("automated_clean");
	set("disable_power_off");
	set("network_data");
	if (INTERFACES_MUTABLE.includes(node.provision_state)) {
		set("boot_interface");
		set("inspect_interface");
	}
	const properties = {
		...node.properties,
		capabilities: capabilities(host.spec.bootMode, node.properties.capabilities),
		...architecture(host, inputs.hardware),
	};
	if (!isDeepStrictEqual(properties, node.properties))
		patch.push({ op: "add", path: "/properties", value: properties });
	return patch;
}

/** Selects the deploy ramdisk where there is one for each architecture. */
function architecture({ spec }: BareMetalHost, hardware: HardwareDetails | undefined): { cpu_arch?: string } {
	const cpu_arch = spec.architecture ?? hardware?.cpu?.arch;
	return cpu_arch === undefined ? {} : { cpu_arch };
}
