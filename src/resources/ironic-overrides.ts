import { z } from "zod";
import { containerSchema, probeSchema } from "./pod-container.ts";
import { volumeSchema } from "./pod-volume.ts";
import { uriSchema } from "./uri.ts";

/** `Ironic.spec.overrides`: the operator's pod only; kept for the target cluster. */
export const overridesSchema = z.strictObject({
	agentImages: z
		.array(
			z.strictObject({
				architecture: z.enum(["", "x86_64", "aarch64"]).optional(),
				initramfs: uriSchema,
				kernel: uriSchema,
			}),
		)
		.optional(),
	annotations: z.record(z.string(), z.string()).optional(),
	labels: z.record(z.string(), z.string()).optional(),
	containers: z.array(containerSchema).optional(),
	initContainers: z.array(containerSchema).optional(),
	volumes: z.array(volumeSchema).optional(),
	httpdLivenessProbe: probeSchema.optional(),
	httpdReadinessProbe: probeSchema.optional(),
});

export type IronicOverrides = z.output<typeof overridesSchema>;
