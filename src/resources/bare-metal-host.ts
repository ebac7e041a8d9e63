import { z } from "zod";
import {
	bootModeSchema,
	customDeploySchema,
	firmwareSchema,
	imageSchema,
	raidSchema,
} from "./bare-metal-host-parts.ts";
import { statusSchema } from "./bare-metal-host-status.ts";
import { objectMetaSchema, secretReferenceSchema } from "./core.ts";
import { macAddressSchema } from "./mac-address.ts";
import { rootDeviceHintsSchema } from "./root-device-hints.ts";

/** BMC access; the address's scheme selects the driver (see bmc-address.ts). */
export const bmcDetailsSchema = z.strictObject({
	address: z.string(),
	/** A Secret in the host's namespace with `username` and `password`. */
	credentialsName: z.string(),
	disableCertificateVerification: z.boolean().optional(),
});

/** `corev1.ObjectReference`. */
const objectReferenceSchema = z.strictObject({
	apiVersion: z.string().optional(),
	fieldPath: z.string().optional(),
	kind: z.string().optional(),
	name: z.string().optional(),
	namespace: z.string().optional(),
	resourceVersion: z.string().optional(),
	uid: z.string().optional(),
});

const colonMac = z
	.string()
	.regex(
		/^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}$/,
		"must be a MAC address in colon form, such as 52:54:00:ab:00:01",
	);

const networkInterfaceSchema = z.strictObject({
	name: z
		.string()
		.regex(/^[a-zA-Z0-9._-]+$/, "must be letters, digits, `.`, `_` and `-`")
		.optional(),
	macAddress: macAddressSchema.optional(),
	hostNetworkAttachment: z
		.strictObject({ name: z.string().max(253).optional(), namespace: z.string().max(63).optional() })
		.optional(),
	switchPort: z.strictObject({ portID: z.string(), switchID: colonMac }).optional(),
});

const taintSchema = z.strictObject({
	effect: z.string(),
	key: z.string(),
	timeAdded: z.iso.datetime({ offset: true }).optional(),
	value: z.string().optional(),
});

/** `BareMetalHost.spec`, complete to baremetal-operator v0.14.0-rc.0. */
export const bareMetalHostSpecSchema = z.strictObject({
	online: z.boolean(),
	bmc: bmcDetailsSchema.optional(),
	bootMACAddress: macAddressSchema.optional(),
	bootMode: bootModeSchema.optional(),
	architecture: z.string().optional(),
	automatedCleaningMode: z.enum(["metadata", "disabled"]).default("metadata"),
	disablePowerOff: z.boolean().optional(),
	externallyProvisioned: z.boolean().optional(),
	image: imageSchema.optional(),
	customDeploy: customDeploySchema.optional(),
	rootDeviceHints: rootDeviceHintsSchema.optional(),
	raid: raidSchema.optional(),
	userData: secretReferenceSchema.optional(),
	networkData: secretReferenceSchema.optional(),
	metaData: secretReferenceSchema.optional(),
	preprovisioningNetworkDataName: z.string().optional(),
	consumerRef: objectReferenceSchema.optional(),
	description: z.string().optional(),
	inspectionMode: z.enum(["disabled", "agent", "fast"]).optional(),
	networkInterfaces: z.array(networkInterfaceSchema).optional(),
	/** Deprecated upstream. */
	firmware: firmwareSchema.optional(),
	/** Deprecated upstream. */
	hardwareProfile: z.string().optional(),
	/** Deprecated upstream. */
	taints: z.array(taintSchema).optional(),
});

/**
 * `BareMetalHost` (metal3.io/v1alpha1), complete to baremetal-operator v0.14.0-rc.0, CRD defaults filled in.
 * A host without `spec` (BMO's "discovered" host) is one with `online: false` and nothing else.
 * https://github.com/metal3-io/baremetal-operator/blob/v0.14.0-rc.0/apis/metal3.io/v1alpha1/baremetalhost_types.go
 */
export const bareMetalHostSchema = z.strictObject({
	apiVersion: z.literal("metal3.io/v1alpha1"),
	kind: z.literal("BareMetalHost"),
	metadata: objectMetaSchema,
	spec: bareMetalHostSpecSchema.prefault({ online: false }),
	status: statusSchema.optional(),
});

export type BmcDetails = z.output<typeof bmcDetailsSchema>;
export type NetworkInterface = z.output<typeof networkInterfaceSchema>;
export type BareMetalHostSpec = z.output<typeof bareMetalHostSpecSchema>;
export type BareMetalHostStatus = z.output<typeof statusSchema>;
export type BareMetalHost = z.output<typeof bareMetalHostSchema>;
/** What a person writes. */
export type BareMetalHostManifest = z.input<typeof bareMetalHostSchema>;
