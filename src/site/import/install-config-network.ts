import { Address4, Address6 } from "ip-address";
import { type Cidr, cidrsOverlap, parseCidr, parseIpAddress } from "../../resources/ip.ts";
import type { SourceDocument } from "../document.ts";
import type { ImportedIronic, Remark, Say } from "./imported.ts";
import { reasonOf } from "./row.ts";
import { mappingOf, type Spot, textOf } from "./yaml-source.ts";

/** Fields of `platform.baremetal` that have no place in a site, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
	libvirtURI: "the bootstrap needs no virtual machine",
	externalBridge: "the bootstrap needs no virtual machine",
	provisioningBridge: "the bootstrap needs no virtual machine",
	externalMACAddress: "the bootstrap needs no virtual machine",
	provisioningMACAddress: "the bootstrap needs no virtual machine",
	bootstrapExternalStaticIP: "this machine has its own address",
	bootstrapExternalStaticGateway: "this machine has its own gateway",
	bootstrapExternalStaticDNS: "this machine has its own name servers",
	bootstrapOSImage: "deprecated, and the bootstrap needs no virtual machine",
	clusterOSImage: "deprecated: give each host its `image`",
	apiVIP: "belongs to the cluster",
	apiVIPs: "belongs to the cluster",
	ingressVIP: "belongs to the cluster",
	ingressVIPs: "belongs to the cluster",
	loadBalancer: "belongs to the cluster",
	dnsRecordsType: "belongs to the cluster",
	defaultMachinePlatform: "has no content",
};

const USED: ReadonlySet<string> = new Set([
	...["hosts", "provisioningNetwork", "provisioningNetworkInterface", "provisioningNetworkCIDR"],
	...[
		"provisioningDHCPRange",
		"provisioningNetworkGateway",
		"provisioningDHCPExternal",
		"bootstrapProvisioningIP",
	],
	...["clusterProvisioningIP", "provisioningHostIP", "additionalNTPServers", "bmcVerifyCA"],
]);

const CONFIG_MAP = { bmc: "bmc-verify-ca", trusted: "trusted-ca" };

/** The networks and trust of `platform.baremetal` → an `Ironic` for this machine, and what differs in the target. */
export function installConfigNetwork(document: SourceDocument, baremetal: Spot, say: Say): ImportedIronic {
	const root = mappingOf(document.value);
	const platform = mappingOf(baremetal.value);
	const remark: RemarkOn = (kind, field, note) =>
		say({ kind, where: baremetal.at([field]), field: `platform.baremetal.${field}`, note });
	for (const key of Object.keys(platform))
		if (!USED.has(key)) remark("left-out", key, LEFT_OUT[key] ?? "this field is not known");
	const mode = modeOf(platform, remark);
	const cidr = cidrOf(platform, mode, remark);
	if (cidr) machineNetworks(root, cidr, remark);
	const own =
		textOf(platform.bootstrapProvisioningIP) ?? (cidr && mode !== "Disabled" ? hostOf(cidr, 2n) : undefined);
	if (own === undefined)
		remark(
			"missing",
			"bootstrapProvisioningIP",
			"give this machine's address in `networking.ipAddress` of the Ironic",
		);
	else if (platform.bootstrapProvisioningIP === undefined)
		remark(
			"inferred",
			"bootstrapProvisioningIP",
			`${own}, the installer's default: this machine must have it`,
		);
	const dhcp = mode === "Managed" && cidr ? dhcpOf(platform, cidr, remark) : undefined;
	const [ntp, ...more] = [platform.additionalNTPServers].flat().flatMap((each) => textOf(each) ?? []);
	if (more.length > 0)
		remark(
			"left-out",
			"additionalNTPServers",
			`the ramdisk takes one time server: ${more.length} further ones`,
		);
	const sshKey = textOf(root.sshKey);
	if (sshKey !== undefined)
		say({
			kind: "inferred",
			where: document.locate(["sshKey"]),
			field: "sshKey",
			note: "the deploy ramdisk lets this key in, as in OpenShift",
		});
	const bmcCa = textOf(platform.bmcVerifyCA);
	const trusted = textOf(root.additionalTrustBundle);
	const cluster = textOf(platform.clusterProvisioningIP) ?? textOf(platform.provisioningHostIP);
	const inCluster = cluster ?? (cidr && mode !== "Disabled" ? hostOf(cidr, 3n) : undefined);
	const nic = textOf(platform.provisioningNetworkInterface);
	if (nic !== undefined)
		remark(
			"inferred",
			"provisioningNetworkInterface",
			`${nic} is the target's; here the interface follows from the address`,
		);
	return {
		name: "metal3",
		spec: {
			networking: {
				...(own === undefined ? {} : { ipAddress: own }),
				...(dhcp === undefined ? {} : { dhcp }),
			},
			deployRamdisk: {
				...(sshKey === undefined ? {} : { sshKey: sshKey.split(/\r?\n/)[0] ?? "" }),
				...(ntp === undefined ? {} : { extraKernelParams: `ipa-ntp-server=${ntp}` }),
			},
			...(bmcCa === undefined && trusted === undefined
				? {}
				: {
						tls: {
							...(bmcCa === undefined ? {} : { bmcCA: { kind: "ConfigMap", name: CONFIG_MAP.bmc } as const }),
							...(trusted === undefined
								? {}
								: { trustedCA: { kind: "ConfigMap", name: CONFIG_MAP.trusted } as const }),
						},
					}),
		},
		target: targetOf(inCluster, nic),
		configMaps: {
			...(bmcCa === undefined ? {} : { [CONFIG_MAP.bmc]: { "verify_ca.crt": bmcCa } }),
			...(trusted === undefined ? {} : { [CONFIG_MAP.trusted]: { "ca-bundle.crt": trusted } }),
		},
	};
}

type RemarkOn = (kind: Remark["kind"], field: string, note: string) => void;
type Platform = Readonly<Record<string, unknown>>;
type Mode = "Managed" | "Unmanaged" | "Disabled";

function modeOf(platform: Platform, remark: RemarkOn): Mode {
	const written = textOf(platform.provisioningNetwork);
	if (platform.provisioningDHCPExternal === true && (written === undefined || written === "Managed")) {
		remark(
			"inferred",
			"provisioningDHCPExternal",
			"deprecated: the same as `provisioningNetwork: Unmanaged`",
		);
		return "Unmanaged";
	}
	if (written === "Managed" || written === "Unmanaged" || written === "Disabled") return written;
	if (written === undefined)
		remark("inferred", "provisioningNetwork", "Managed, the installer's default: with DHCP");
	else remark("wrong", "provisioningNetwork", "is neither Managed, Unmanaged nor Disabled; Managed is taken");
	return "Managed";
}

function cidrOf(platform: Platform, mode: Mode, remark: RemarkOn): Cidr | undefined {
	const written = textOf(platform.provisioningNetworkCIDR);
	if (written === undefined) {
		if (mode === "Disabled") return undefined;
		remark("inferred", "provisioningNetworkCIDR", "172.22.0.0/24, the installer's default");
		return parseCidr("172.22.0.0/24");
	}
	try {
		return parseCidr(written);
	} catch (error) {
		remark("wrong", "provisioningNetworkCIDR", `${(error as Error).message}; left out`);
		return undefined;
	}
}

function dhcpOf(platform: Platform, cidr: Cidr, remark: RemarkOn) {
	const written = textOf(platform.provisioningDHCPRange);
	const [begin, end, ...rest] = (written ?? "").split(",").map((part) => part.trim());
	const isRange = written !== undefined && begin && end && rest.length === 0;
	if (written !== undefined && !isRange)
		remark("wrong", "provisioningDHCPRange", "is not `BEGIN,END`; the installer's default is taken");
	const last = cidr.family === 4 ? cidr.last.value - 1n : cidr.last.value;
	const range = isRange
		? { rangeBegin: begin, rangeEnd: end }
		: { rangeBegin: hostOf(cidr, 10n), rangeEnd: addressText(cidr.family, last) };
	if (written === undefined)
		remark(
			"inferred",
			"provisioningDHCPRange",
			`${range.rangeBegin},${range.rangeEnd}, the installer's default`,
		);
	const gateway = textOf(platform.provisioningNetworkGateway);
	return { networkCIDR: cidr.text, ...range, ...(gateway === undefined ? {} : { gatewayAddress: gateway }) };
}

/** The installer refuses this; what is imported is left as it is, for a person to decide. */
function machineNetworks(root: Platform, provisioning: Cidr, remark: RemarkOn): void {
	const networking = mappingOf(root.networking);
	const listed = Array.isArray(networking.machineNetwork) ? networking.machineNetwork : [];
	const texts = [...listed.map((each) => textOf(mappingOf(each).cidr)), textOf(networking.machineCIDR)];
	for (const text of texts) {
		if (text === undefined) continue;
		try {
			const machine = parseCidr(text);
			if (cidrsOverlap(machine, provisioning))
				remark(
					"wrong",
					"provisioningNetworkCIDR",
					`${provisioning.text} overlaps the machine network ${machine.text}`,
				);
		} catch (error) {
			remark("wrong", "provisioningNetworkCIDR", `a machine network cannot be compared: ${reasonOf(error)}`);
		}
	}
}

function targetOf(ipAddress: string | undefined, nic: string | undefined) {
	if (ipAddress === undefined && nic === undefined) return undefined;
	return {
		networking: {
			...(ipAddress === undefined ? {} : { ipAddress }),
			...(nic === undefined ? {} : { interface: nic }),
		},
	};
}

/** The n-th host of a network, as the installer counts them. */
function hostOf(cidr: Cidr, n: bigint): string {
	return addressText(cidr.family, cidr.first.value + n);
}

function addressText(family: 4 | 6, value: bigint): string {
	const address = family === 4 ? Address4.fromBigInt(value) : Address6.fromBigInt(value);
	return parseIpAddress(address.correctForm()).text;
}
