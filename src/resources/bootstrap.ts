import { z } from "zod";
import { objectMetaSchema } from "./core.ts";
import { durationSchema } from "./duration.ts";
import { uriSchema } from "./uri.ts";

const absolutePath = z.string().regex(/^\/[^\0]*$/, "must be an absolute path on this machine");

/**
 * `Bootstrap` (ironstrap.io/v1alpha1): what only a bootstrap machine has. Optional as a whole, everything has a
 * default. Durations are written as `90s`, `30m`, `2h` and are milliseconds here.
 */
export const bootstrapSpecSchema = z.strictObject({
	engine: z
		.strictObject({
			kind: z.enum(["auto", "podman", "docker"]).default("auto"),
			/** Path of the engine's API socket; found by itself when absent. */
			socket: absolutePath.optional(),
		})
		.prefault({}),
	/** `Ironic.spec.images.ironic` wins over `images.ironic`. */
	images: z
		.strictObject({
			ironic: z.string().min(1).default("localhost/ironstrap/ironic:latest"),
			mariadb: z.string().min(1).default("localhost/ironstrap/mariadb:latest"),
		})
		.prefault({}),
	/** Registries that have a mirror here, or want a login. */
	registries: z
		.array(
			z.strictObject({
				/** `quay.io`, or with a path: `quay.io/metal3-io`. */
				registry: z.string().min(1),
				/** What stands in for it: `registry.example.org:5000/quay`. */
				mirror: z.string().min(1).optional(),
				/** A Secret of type `kubernetes.io/dockerconfigjson` in the namespace of the `Bootstrap`. */
				pullSecretName: z.string().optional(),
			}),
		)
		.default([]),
	/**
	 * Where Ironic keeps its nodes: a MariaDB server of its own, or one file on a volume, for small sites. Cannot be changed
	 * on a site that was applied.
	 */
	database: z.enum(["mariadb", "sqlite"]).default("mariadb"),
	/** The deploy ramdisk's files on this machine; `up` needs them. */
	deployRamdisk: z.strictObject({ kernel: absolutePath, initramfs: absolutePath }).optional(),
	/** Subnet of the stack's private bridge; a free one is chosen when absent. */
	bridgeSubnet: z.string().optional(),
	api: z
		.strictObject({
			/** Further addresses of this machine on which the full, authenticated API is published. */
			listen: z.array(z.string()).default([]),
		})
		.prefault({}),
	/** How the stack takes part in DHCP on the provisioning network; its ranges are the `Ironic`'s. */
	dhcp: z
		.strictObject({
			/** `auto`: `full` if the `Ironic` has `networking.dhcp`, else `off` (src/resources/dhcp-mode.ts). */
			mode: z.enum(["auto", "full", "reservations", "proxy", "off"]).default("auto"),
			/** IPv6 networks are announced, without a router; `auto`: if `fence.mode` is `dedicated`. */
			routerAdvertisements: z.enum(["auto", "always", "never"]).default("auto"),
		})
		.prefault({}),
	/** By which images are downloaded; who is reached directly besides is computed (src/stack/proxy.ts). */
	proxy: z
		.strictObject({
			http: uriSchema.optional(),
			https: uriSchema.optional(),
			/** Further host names (also `.example.org`), addresses and IPv4 networks that need no proxy. */
			noProxy: z.array(z.string()).default([]),
		})
		.optional(),
	/**
	 * Who downloads disk images. `conductor`: this machine, which checks, converts and serves them, so that servers need no
	 * way out. `server`: each server by itself, where the image server is reachable from the provisioning network.
	 */
	imageDownload: z.enum(["conductor", "server"]).default("conductor"),
	/** Where servers get the time from: the deploy ramdisk from the first one, DHCP tells those that are addresses. */
	ntpServers: z.array(z.string()).default([]),
	/** Who may reach the stack, and what the stack may reach (docs/fence.md). */
	fence: z
		.strictObject({
			/**
			 * `shared`: rules touch only the stack's own ports and bridge. `dedicated`: besides, nothing is routed between
			 * the provisioning network and any other. `none`: no fence at all.
			 */
			mode: z.enum(["shared", "dedicated", "none"]).default("shared"),
			/** Whether DHCP and TFTP are for known servers only. */
			dhcp: z.enum(["closed", "open"]).default("closed"),
			/** Whether containers reach only BMCs, servers, name servers and the declared image servers. */
			egress: z.enum(["limited", "open"]).default("limited"),
			/** Further addresses, networks and host names that containers may reach, by any port. */
			allow: z.array(z.string()).default([]),
			/** Further networks that servers and BMCs come from, by whichever interface. */
			servers: z.array(z.string()).default([]),
			/** Lets the provisioning network reach others through this machine. */
			gateway: z.boolean().default(false),
		})
		.prefault({}),
	/** How gently hosts are treated. */
	limits: z
		.strictObject({
			/** Servers that boot, are inspected, cleaned, written or undeployed at the same time. */
			hosts: z.int().min(1).max(1000).default(20),
			/** The same for one BMC address: an enclosure may be the BMC of many servers. */
			perBmc: z.int().min(1).max(100).default(4),
			/** Between two servers that are switched on. */
			powerOnEvery: durationSchema.prefault("500ms"),
		})
		.prefault({}),
	deadlines: z
		.strictObject({
			engine: durationSchema.prefault("2m"),
			stack: durationSchema.prefault("10m"),
			pull: durationSchema.prefault("30m"),
			register: durationSchema.prefault("5m"),
			inspect: durationSchema.prefault("30m"),
			prepare: durationSchema.prefault("30m"),
			provision: durationSchema.prefault("60m"),
			deprovision: durationSchema.prefault("60m"),
			power: durationSchema.prefault("10m"),
			pivot: durationSchema.prefault("15m"),
		})
		.prefault({}),
	target: z
		.strictObject({
			/** Laid over the site's `Ironic.spec` for the target cluster (JSON merge patch: `null` removes a field). */
			ironic: z.record(z.string(), z.unknown()).default({}),
		})
		.prefault({}),
});

export const bootstrapSchema = z.strictObject({
	apiVersion: z.literal("ironstrap.io/v1alpha1"),
	kind: z.literal("Bootstrap"),
	metadata: objectMetaSchema,
	spec: bootstrapSpecSchema.prefault({}),
});

export type BootstrapSpec = z.output<typeof bootstrapSpecSchema>;
export type Deadlines = BootstrapSpec["deadlines"];
export type Bootstrap = z.output<typeof bootstrapSchema>;
/** What a person writes. */
export type BootstrapManifest = z.input<typeof bootstrapSchema>;
