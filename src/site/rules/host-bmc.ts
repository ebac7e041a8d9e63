import type { BareMetalHost } from "../../resources/bare-metal-host.ts";
import { type BmcAddress, BmcAddressError, parseBmcAddress } from "../../resources/bmc-address.ts";
import { BMC_SCHEMES } from "../../resources/bmc-types.ts";
import { isNotAServer } from "../../resources/mac-address.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { nearest } from "../nearest.ts";
import { on, type SiteRule } from "./site-rule.ts";

/**
 * How a host's BMC is reached, and what its driver needs of the host.
 * https://github.com/metal3-io/baremetal-operator/blob/v0.14.0-rc.0/internal/webhooks/metal3.io/v1alpha1/baremetalhost_validation.go
 */
export const hostBmc: SiteRule = function* (draft) {
	for (const host of draft.hosts) {
		const { bmc, bootMACAddress } = host.spec;
		if (bootMACAddress !== undefined && isNotAServer(bootMACAddress))
			yield on(draft, host, ["spec", "bootMACAddress"], "boot-mac-invalid", {
				message: "`bootMACAddress` is a group address or zero, which no network card has",
				seen: bootMACAddress,
				fix: "give the address of the card that the server boots from",
			});
		if (!bmc || bmc.address === "") {
			yield on(draft, host, bmc ? ["spec", "bmc", "address"] : ["metadata", "name"], "host-without-bmc", {
				severity: "warning",
				message: "the host has no `bmc.address`, so it stays unmanaged",
				fix: "add `bmc.address` and `bmc.credentialsName`",
			});
			continue;
		}
		const address = parse(bmc.address);
		if (address instanceof BmcAddressError) yield refused(draft, host, bmc.address, address);
		else yield* accepted(draft, host, address);
		if (bmc.credentialsName === "")
			yield on(draft, host, ["spec", "bmc", "credentialsName"], "secret-name-missing", {
				message: "`bmc.credentialsName` is empty",
				fix: "name a Secret with `username` and `password`",
			});
	}
};

const PATH = ["spec", "bmc", "address"] as const;

const CODES: Readonly<Record<BmcAddressError["reason"], string>> = {
	scheme: "bmc-address-scheme",
	userinfo: "bmc-address-userinfo",
	host: "bmc-address-invalid",
	port: "bmc-address-invalid",
	syntax: "bmc-address-invalid",
};

function parse(text: string): BmcAddress | BmcAddressError {
	try {
		return parseBmcAddress(text);
	} catch (error) {
		if (error instanceof BmcAddressError) return error;
		throw error;
	}
}

function refused(draft: Draft, host: BareMetalHost, text: string, error: BmcAddressError): Finding {
	return on(draft, host, PATH, CODES[error.reason], {
		message: `\`bmc.address\` ${error.message}`,
		seen: error.reason === "userinfo" || text.includes("@") ? undefined : (error.scheme ?? text),
		fix: addressFix(error),
	});
}

function addressFix(error: BmcAddressError): string {
	if (error.reason === "userinfo")
		return "put user name and password into the Secret that `bmc.credentialsName` names";
	if (error.reason !== "scheme")
		return "write it as redfish://HOST[:PORT]/redfish/v1/Systems/ID or ipmi://HOST[:PORT]";
	if (error.replacement !== undefined) return `use ${error.replacement}://`;
	const meant = nearest(error.scheme ?? "", BMC_SCHEMES);
	return meant === undefined ? `use one of ${BMC_SCHEMES.join(", ")}` : `did you mean ${meant}://?`;
}

function* accepted(draft: Draft, host: BareMetalHost, address: BmcAddress): Iterable<Finding> {
	if (address.schemeAssumed)
		yield on(draft, host, PATH, "bmc-address-no-scheme", {
			severity: "warning",
			message: "`bmc.address` has no scheme, so it is taken for IPMI",
			seen: host.spec.bmc?.address,
			fix: "write ipmi:// or redfish:// in front",
		});
	yield* systemPath(draft, host, address);
	const { spec } = host;
	const inspectionOff =
		spec.inspectionMode === "disabled" || host.metadata.annotations?.["inspect.metal3.io"] === "disabled";
	if ((address.needsMac || inspectionOff) && spec.bootMACAddress === undefined)
		yield on(draft, host, inspectionOff ? ["spec", "inspectionMode"] : PATH, "boot-mac-missing", {
			message: inspectionOff
				? "a host without inspection needs `bootMACAddress`"
				: `the BMC type ${address.type} needs \`bootMACAddress\``,
			fix: "add `bootMACAddress`, the address of the card that the server boots from",
		});
	else if (address.networkBoot && spec.bootMACAddress === undefined)
		yield on(draft, host, PATH, "boot-mac-unknown", {
			severity: "warning",
			message:
				"the host boots over the network, but without `bootMACAddress` it is answered only while unknown servers are let in",
			fix: "add `bootMACAddress`",
		});
	if (spec.bootMode === "UEFISecureBoot" && !address.supportsSecureBoot)
		yield on(draft, host, ["spec", "bootMode"], "secure-boot-unsupported", {
			message: `the BMC type ${address.type} cannot switch secure boot`,
			fix: "use a redfish address, or `bootMode: UEFI`",
		});
	if ((spec.raid?.hardwareRAIDVolumes ?? []).length > 0 && !address.supportsHardwareRaid)
		yield on(draft, host, ["spec", "raid", "hardwareRAIDVolumes"], "raid-unsupported", {
			message: `the BMC type ${address.type} cannot make hardware RAID volumes`,
			fix: "use a redfish or idrac address, or software RAID",
		});
	if (spec.firmware)
		yield on(draft, host, ["spec", "firmware"], "firmware-unsupported", {
			message: `baremetal-operator refuses \`firmware\` with the BMC type ${address.type}`,
			fix: "remove it; firmware settings are made with HostFirmwareSettings in the cluster",
		});
}

/** sushy wants the path of a System; with another resource of the BMC, registration fails with a confusing 404. */
function* systemPath(draft: Draft, host: BareMetalHost, { systemId }: BmcAddress): Iterable<Finding> {
	if (systemId === undefined || /^\/redfish\/v1\/Systems\/[^/]+\/?$/.test(systemId)) return;
	const isOtherResource = /^\/redfish(\/|$)/i.test(systemId);
	yield on(draft, host, PATH, "bmc-address-not-a-system", {
		severity: isOtherResource ? "error" : "warning",
		message: `the path of \`bmc.address\` ${isOtherResource ? "is no System" : "does not look like that of a System"}`,
		seen: systemId,
		fix: "end it in /redfish/v1/Systems/ID; `curl -k https://BMC/redfish/v1/Systems` lists the systems",
	});
}
