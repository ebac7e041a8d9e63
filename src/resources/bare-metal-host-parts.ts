import { z } from "zod";
import { rootDeviceHintsSchema } from "./root-device-hints.ts";

/** Parts of a `BareMetalHost` that stand in `spec` (wanted) and again in `status.provisioning` (as last applied). */

export const bootModeSchema = z.enum(["UEFI", "UEFISecureBoot", "legacy"]);

export const imageSchema = z.strictObject({
	url: z.string(),
	checksum: z.string().optional(),
	checksumType: z.enum(["md5", "sha256", "sha512", "auto"]).optional(),
	format: z.enum(["raw", "qcow2", "vdi", "vmdk", "live-iso"]).optional(),
	ociAuthSecretName: z.string().optional(),
});

export const customDeploySchema = z.strictObject({ method: z.string() });

export const firmwareSchema = z.strictObject({
	simultaneousMultithreadingEnabled: z.boolean().optional(),
	sriovEnabled: z.boolean().optional(),
	virtualizationEnabled: z.boolean().optional(),
});

const hardwareRaidVolumeSchema = z.strictObject({
	level: z.enum(["0", "1", "2", "5", "6", "1+0", "5+0", "6+0"]),
	name: z.string().max(64).optional(),
	sizeGibibytes: z.int().min(0).optional(),
	rotational: z.boolean().optional(),
	numberOfPhysicalDisks: z.int().min(1).optional(),
	controller: z.string().optional(),
	physicalDisks: z.array(z.string()).optional(),
});

const softwareRaidVolumeSchema = z.strictObject({
	level: z.enum(["0", "1", "1+0"]),
	sizeGibibytes: z.int().min(0).optional(),
	physicalDisks: z.array(rootDeviceHintsSchema).min(2).optional(),
	rootVolume: z.boolean().default(false),
});

/** Absent or `null`: leave the RAID as it is. An empty list: remove all volumes. */
export const raidSchema = z.strictObject({
	hardwareRAIDVolumes: z.array(hardwareRaidVolumeSchema).nullable().optional(),
	softwareRAIDVolumes: z.array(softwareRaidVolumeSchema).max(2).nullable().optional(),
});

export type BootMode = z.output<typeof bootModeSchema>;
export type Image = z.output<typeof imageSchema>;
export type CustomDeploy = z.output<typeof customDeploySchema>;
export type Raid = z.output<typeof raidSchema>;
