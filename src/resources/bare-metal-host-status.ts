import { z } from "zod";
import {
	bootModeSchema,
	customDeploySchema,
	firmwareSchema,
	imageSchema,
	raidSchema,
} from "./bare-metal-host-parts.ts";
import { conditionSchema, secretReferenceSchema } from "./core.ts";
import { hardwareDetailsSchema } from "./hardware-data.ts";
import { rootDeviceHintsSchema } from "./root-device-hints.ts";

/** RFC 3339, as `metav1.Time` writes it. */
const time = z.iso.datetime({ offset: true });

/** The states BMO has a handler for; the CRD takes any string, but an unknown one makes BMO loop. */
export const provisioningStateSchema = z.enum([
	"",
	"unmanaged",
	"registering",
	"match profile",
	"preparing",
	"ready",
	"available",
	"provisioning",
	"provisioned",
	"externally provisioned",
	"deprovisioning",
	"inspecting",
	"powering off before delete",
	"deleting",
]);

export const operationalStatusSchema = z.enum([
	"",
	"OK",
	"discovered",
	"error",
	"delayed",
	"detached",
	"servicing",
]);

/** BMO's Go code also has `detach error`, which its CRD refuses: never written. */
export const errorTypeSchema = z.enum([
	"provisioned registration error",
	"registration error",
	"inspection error",
	"preparation error",
	"provisioning error",
	"power management error",
	"servicing error",
]);

const operationSchema = z.strictObject({
	start: time.nullable().optional(),
	end: time.nullable().optional(),
});

const credentialsStatusSchema = z.strictObject({
	credentials: secretReferenceSchema.optional(),
	credentialsVersion: z.string().optional(),
});

export const provisionStatusSchema = z.strictObject({
	state: provisioningStateSchema,
	/** UUID of the Ironic node, or empty. */
	ID: z.string(),
	bootMode: bootModeSchema.optional(),
	image: imageSchema.optional(),
	rootDeviceHints: rootDeviceHintsSchema.optional(),
	raid: raidSchema.optional(),
	customDeploy: customDeploySchema.optional(),
	firmware: firmwareSchema.optional(),
});

/** `BareMetalHost.status`, complete to baremetal-operator v0.14.0-rc.0; an empty `lastUpdated` means "no status yet". */
export const statusSchema = z.strictObject({
	operationalStatus: operationalStatusSchema,
	errorType: errorTypeSchema.optional(),
	errorMessage: z.string(),
	errorCount: z.int().default(0),
	poweredOn: z.boolean(),
	lastUpdated: time.optional(),
	hardwareProfile: z.string().optional(),
	hardware: hardwareDetailsSchema.optional(),
	provisioning: provisionStatusSchema,
	provisioningFailCount: z.int().default(0),
	lastAttemptedImage: imageSchema.optional(),
	goodCredentials: credentialsStatusSchema.optional(),
	triedCredentials: credentialsStatusSchema.optional(),
	operationHistory: z
		.strictObject({
			register: operationSchema.optional(),
			inspect: operationSchema.optional(),
			provision: operationSchema.optional(),
			deprovision: operationSchema.optional(),
		})
		.optional(),
	conditions: z.array(conditionSchema).max(32).optional(),
});

export type ProvisioningState = z.output<typeof provisioningStateSchema>;
export type OperationalStatus = z.output<typeof operationalStatusSchema>;
export type ErrorType = z.output<typeof errorTypeSchema>;
export type ProvisionStatus = z.output<typeof provisionStatusSchema>;
