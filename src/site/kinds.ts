import { type BareMetalHost, bareMetalHostSchema } from "../resources/bare-metal-host.ts";
import { type Bootstrap, bootstrapSchema } from "../resources/bootstrap.ts";
import { type ConfigMap, configMapSchema, type Secret, secretSchema } from "../resources/core.ts";
import { type HardwareData, hardwareDataSchema } from "../resources/hardware-data.ts";
import { type Ironic, ironicSchema } from "../resources/ironic.ts";

export type SiteObject = Ironic | Bootstrap | BareMetalHost | HardwareData | Secret | ConfigMap;
export type SiteKind = SiteObject["kind"];

/** The kinds that a site is made of. */
export const SITE_KINDS = {
	Ironic: { apiVersion: "ironic.metal3.io/v1alpha1", schema: ironicSchema },
	BareMetalHost: { apiVersion: "metal3.io/v1alpha1", schema: bareMetalHostSchema },
	HardwareData: { apiVersion: "metal3.io/v1alpha1", schema: hardwareDataSchema },
	Secret: { apiVersion: "v1", schema: secretSchema },
	ConfigMap: { apiVersion: "v1", schema: configMapSchema },
	Bootstrap: { apiVersion: "ironstrap.io/v1alpha1", schema: bootstrapSchema },
} as const;

export function isSiteKind(kind: string): kind is SiteKind {
	return Object.hasOwn(SITE_KINDS, kind);
}

/** `Ironic, BareMetalHost, …`: for messages. */
export const SITE_KIND_NAMES = Object.keys(SITE_KINDS) as SiteKind[];

/** Other kinds of Metal3's own groups, and what becomes of them without a cluster. */
export const UNUSED_METAL3_KINDS: ReadonlySet<string> = new Set([
	"BMCEventSubscription",
	"BareMetalSwitch",
	"DataImage",
	"FirmwareSchema",
	"HostClaim",
	"HostDeployPolicy",
	"HostFirmwareComponents",
	"HostFirmwareSettings",
	"HostNetworkAttachment",
	"HostUpdatePolicy",
	"IronicDatabase",
	"PreprovisioningImage",
]);

/** API groups in which a kind that is not known must be a typing error. */
export const OWN_GROUPS: ReadonlySet<string> = new Set(["ironic.metal3.io", "metal3.io", "ironstrap.io"]);

export function groupOf(apiVersion: string): string {
	return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
