import { z } from "zod";
import { conditionSchema, objectMetaSchema } from "./core.ts";
import { overridesSchema } from "./ironic-overrides.ts";
import { uriSchema } from "./uri.ts";

/**
 * `Ironic` (ironic.metal3.io/v1alpha1), complete to ironic-standalone-operator v0.11.0, with the defaults of its CRD
 * filled in. Optional groups that the operator treats alike when absent or empty (`networking`, `tls`, `images`,
 * `deployRamdisk`, `inspection`) are always present here.
 * https://github.com/metal3-io/ironic-standalone-operator/blob/v0.11.0/api/v1alpha1/ironic_types.go
 */

/** The CRD knows only the lower bound; the upper one is the linter's, so that the message can say why. */
const port = z.int32().min(1);

export const dhcpRangeSchema = z.strictObject({
	networkCIDR: z.string(),
	rangeBegin: z.string(),
	rangeEnd: z.string(),
	gatewayAddress: z.string().optional(),
});

export const dhcpSchema = z.strictObject({
	networkCIDR: z.string().optional(),
	rangeBegin: z.string().optional(),
	rangeEnd: z.string().optional(),
	extraRanges: z.array(dhcpRangeSchema).optional(),
	gatewayAddress: z.string().optional(),
	dnsAddress: z.string().optional(),
	serveDNS: z.boolean().optional(),
	/** Raw dnsmasq `dhcp-host` values. */
	hosts: z.array(z.string()).optional(),
	/** Raw dnsmasq `dhcp-ignore` values. */
	ignore: z.array(z.string()).optional(),
});

export const networkingSchema = z.strictObject({
	apiPort: port.default(6385),
	bindInterface: z.boolean().optional(),
	dhcp: dhcpSchema.optional(),
	disableHostNetwork: z.boolean().default(false),
	externalCallbackURL: uriSchema.optional(),
	externalIP: z.string().optional(),
	imageServerExternalURL: uriSchema.optional(),
	imageServerPort: port.default(6180),
	imageServerTLSPort: port.default(6183),
	ingress: z
		.strictObject({
			annotations: z.record(z.string(), z.string()).optional(),
			host: z.string().optional(),
			ingressClassName: z.string().optional(),
		})
		.optional(),
	interface: z.string().optional(),
	ipAddress: z.string().optional(),
	ipAddressManager: z.enum(["", "keepalived"]).optional(),
	keepalived: z
		.strictObject({
			enabled: z.boolean(),
			additionalVIPs: z
				.array(
					z.strictObject({
						interface: z.string().min(1),
						ipAddress: z.string().min(1),
						prefix: z.int().min(0).max(128).optional(),
					}),
				)
				.optional(),
		})
		.optional(),
	macAddresses: z.array(z.string()).optional(),
	prometheusExporterPort: port.default(9608),
	rpcPort: port.default(6189),
});

const resourceReferenceSchema = z.strictObject({ kind: z.enum(["ConfigMap", "Secret"]), name: z.string() });

export const tlsSchema = z.strictObject({
	certificateName: z.string().optional(),
	bmcCA: resourceReferenceSchema.optional(),
	bmcCAName: z.string().optional(),
	trustedCA: resourceReferenceSchema.extend({ key: z.string().optional() }).optional(),
	trustedCAName: z.string().optional(),
	disableVirtualMediaTLS: z.boolean().optional(),
	insecureRPC: z.boolean().optional(),
});

export const networkingServiceSchema = z.strictObject({
	enabled: z.boolean().default(false),
	providerNetworks: z
		.array(
			z.strictObject({
				type: z.enum(["idle", "inspection", "cleaning", "rescuing", "servicing", "provisioning"]),
				mode: z.enum(["access", "trunk", "hybrid"]).default("access"),
				nativeVLAN: z.int().min(1).max(4094),
				allowedVLANs: z.array(z.string()).optional(),
				mtu: z.int().min(1280).max(9216).optional(),
			}),
		)
		.optional(),
	switchConfigSecretName: z.string().optional(),
	switchCredentialsSecretName: z.string().optional(),
});

export const ironicSpecSchema = z.strictObject({
	apiCredentialsName: z.string().optional(),
	database: z
		.strictObject({
			credentialsName: z.string(),
			host: z.string(),
			name: z.string(),
			tlsCertificateName: z.string().optional(),
		})
		.optional(),
	deployRamdisk: z
		.strictObject({
			disableDownloader: z.boolean().optional(),
			extraKernelParams: z.string().optional(),
			sshKey: z.string().optional(),
		})
		.prefault({}),
	extraConfig: z
		.array(
			z.strictObject({
				group: z.string().optional(),
				name: z.string().optional(),
				value: z.string().optional(),
			}),
		)
		.optional(),
	highAvailability: z.boolean().optional(),
	images: z
		.strictObject({
			deployRamdiskBranch: z.string().optional(),
			deployRamdiskDownloader: z.string().optional(),
			ironic: z.string().optional(),
			keepalived: z.string().optional(),
		})
		.prefault({}),
	inspection: z
		.strictObject({
			collectors: z.array(z.string()).optional(),
			vlanInterfaces: z.array(z.string()).optional(),
		})
		.prefault({}),
	networking: networkingSchema.prefault({}),
	networkingService: networkingServiceSchema.optional(),
	nodeSelector: z.record(z.string(), z.string()).optional(),
	overrides: overridesSchema.optional(),
	prometheusExporter: z
		.strictObject({
			enabled: z.boolean(),
			bindAddress: z.string().default("0.0.0.0"),
			disableServiceMonitor: z.boolean().optional(),
			sensorCollectionInterval: z.int().min(60).default(60),
		})
		.optional(),
	tls: tlsSchema.prefault({}),
	version: z.string().optional(),
});

export const ironicStatusSchema = z.strictObject({
	conditions: z.array(conditionSchema).optional(),
	installedVersion: z.string().optional(),
	requestedVersion: z.string().optional(),
});

export const ironicSchema = z.strictObject({
	apiVersion: z.literal("ironic.metal3.io/v1alpha1"),
	kind: z.literal("Ironic"),
	metadata: objectMetaSchema,
	spec: ironicSpecSchema.prefault({}),
	status: ironicStatusSchema.optional(),
});

export type DhcpRange = z.output<typeof dhcpRangeSchema>;
export type Dhcp = z.output<typeof dhcpSchema>;
export type Networking = z.output<typeof networkingSchema>;
export type NetworkingService = z.output<typeof networkingServiceSchema>;
export type Tls = z.output<typeof tlsSchema>;
export type IronicSpec = z.output<typeof ironicSpecSchema>;
export type IronicStatus = z.output<typeof ironicStatusSchema>;
export type Ironic = z.output<typeof ironicSchema>;
/** What a person writes: everything that has a default may be absent. */
export type IronicManifest = z.input<typeof ironicSchema>;
