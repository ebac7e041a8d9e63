import { z } from "zod";
import { objectMetaSchema } from "./core.ts";

const vlanId = z.int().min(0).max(4094);

const nicSchema = z.strictObject({
	name: z.string().optional(),
	model: z.string().optional(),
	/** Not anchored in the CRD: InfiniBand addresses are longer. */
	mac: z
		.string()
		.regex(/[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}/, "must be a MAC address in colon form")
		.optional(),
	/** One entry per address: an interface with IPv4 and IPv6 appears twice. */
	ip: z.string().optional(),
	speedGbps: z.int().optional(),
	vlanId: vlanId.optional(),
	vlans: z.array(z.strictObject({ id: vlanId.optional(), name: z.string().optional() })).optional(),
	pxe: z.boolean().optional(),
	lldp: z
		.strictObject({
			portID: z.string().optional(),
			switchID: z.string().optional(),
			switchSystemName: z.string().optional(),
		})
		.optional(),
	pciAddress: z.string().optional(),
});

const storageSchema = z.strictObject({
	name: z.string().optional(),
	alternateNames: z.array(z.string()).optional(),
	rotational: z.boolean().optional(),
	type: z.enum(["HDD", "SSD", "NVME"]).optional(),
	sizeBytes: z.int().optional(),
	vendor: z.string().optional(),
	model: z.string().optional(),
	serialNumber: z.string().optional(),
	wwn: z.string().optional(),
	wwnVendorExtension: z.string().optional(),
	wwnWithExtension: z.string().optional(),
	hctl: z.string().optional(),
});

/**
 * What inspection found out about a server: `HardwareData.spec.hardware` and `BareMetalHost.status.hardware`,
 * complete to baremetal-operator v0.14.0-rc.0. Sizes are in the unit that the field's name says.
 * https://github.com/metal3-io/baremetal-operator/blob/v0.14.0-rc.0/apis/metal3.io/v1alpha1/baremetalhost_types.go
 */
export const hardwareDetailsSchema = z.strictObject({
	systemVendor: z
		.strictObject({
			manufacturer: z.string().optional(),
			productName: z.string().optional(),
			serialNumber: z.string().optional(),
		})
		.optional(),
	firmware: z
		.strictObject({
			bios: z
				.strictObject({
					date: z.string().optional(),
					vendor: z.string().optional(),
					version: z.string().optional(),
				})
				.optional(),
		})
		.optional(),
	ramMebibytes: z.int().optional(),
	nics: z.array(nicSchema).optional(),
	storage: z.array(storageSchema).optional(),
	cpu: z
		.strictObject({
			arch: z.string().optional(),
			model: z.string().optional(),
			clockMegahertz: z.number().optional(),
			flags: z.array(z.string()).optional(),
			count: z.int().optional(),
		})
		.optional(),
	hostname: z.string().optional(),
});

export const hardwareDataSchema = z.strictObject({
	apiVersion: z.literal("metal3.io/v1alpha1"),
	kind: z.literal("HardwareData"),
	metadata: objectMetaSchema,
	spec: z.strictObject({ hardware: hardwareDetailsSchema.optional() }).prefault({}),
});

export type Nic = z.output<typeof nicSchema>;
export type Storage = z.output<typeof storageSchema>;
export type HardwareDetails = z.output<typeof hardwareDetailsSchema>;
export type HardwareData = z.output<typeof hardwareDataSchema>;
