import { readFileSync } from "node:fs";
import { bareMetalHostSchema } from "../../../src/resources/bare-metal-host.ts";
import { type BootstrapManifest, bootstrapSchema } from "../../../src/resources/bootstrap.ts";
import { configMapSchema, secretSchema } from "../../../src/resources/core.ts";
import { hardwareDataSchema } from "../../../src/resources/hardware-data.ts";
import { type IronicManifest, ironicSchema } from "../../../src/resources/ironic.ts";
import type { Site } from "../../../src/resources/site.ts";
import type { StackInputs } from "../../../src/stack/inputs.ts";

export const baseText = readFileSync("compose/compose.yaml", "utf8");

export interface SiteParts {
	readonly name?: string;
	readonly ironic?: IronicManifest["spec"];
	readonly bootstrap?: BootstrapManifest["spec"];
	readonly hosts?: readonly unknown[];
	readonly hardwareData?: readonly unknown[];
	readonly secrets?: readonly unknown[];
	readonly configMaps?: readonly unknown[];
}

export const provisioningNetwork = {
	ipAddress: "172.22.0.1",
	dhcp: { networkCIDR: "172.22.0.0/24", rangeBegin: "172.22.0.100", rangeEnd: "172.22.0.150" },
};

/** A site as the loader would give it: schemas applied, defaults filled in. */
export function siteOf(parts: SiteParts = {}): Site {
	const { name = "metal3" } = parts;
	const metadata = { name, namespace: "metal3" };
	return {
		name,
		ironic: ironicSchema.parse({
			apiVersion: "ironic.metal3.io/v1alpha1",
			kind: "Ironic",
			metadata,
			spec: { networking: provisioningNetwork, ...parts.ironic },
		}),
		bootstrap: bootstrapSchema.parse({
			apiVersion: "ironstrap.io/v1alpha1",
			kind: "Bootstrap",
			metadata,
			...(parts.bootstrap === undefined ? {} : { spec: parts.bootstrap }),
		}),
		hosts: (parts.hosts ?? [hostManifest("cp-0", "52:54:00:ab:00:01")]).map((host) =>
			bareMetalHostSchema.parse(host),
		),
		hardwareData: (parts.hardwareData ?? []).map((data) => hardwareDataSchema.parse(data)),
		secrets: (parts.secrets ?? []).map((secret) => secretSchema.parse(secret)),
		configMaps: (parts.configMaps ?? []).map((map) => configMapSchema.parse(map)),
		locate: () => undefined,
	};
}

export function hostManifest(name: string, mac: string, spec: object = {}): unknown {
	return {
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name, namespace: "metal3" },
		spec: {
			online: true,
			bootMACAddress: mac,
			bmc: {
				address: "redfish+http://192.168.222.1:8000/redfish/v1/Systems/1",
				credentialsName: `${name}-bmc`,
			},
			...spec,
		},
	};
}

export function inputsOf(changes: Partial<StackInputs> = {}): StackInputs {
	return {
		baseText,
		runDirectory: "/run/ironstrap/metal3",
		images: {
			ironic: {
				reference: "localhost/ironstrap/ironic:29.0.5",
				id: "sha256:1111",
				layout: { kind: "debian", uid: 902, gid: 902 },
			},
			mariadb: {
				reference: "localhost/ironstrap/mariadb:11.8.9",
				id: "sha256:2222",
				layout: { kind: "debian", uid: 901, gid: 901 },
			},
		},
		provisioning: { address: "172.22.0.1", interface: "br-prov", cidr: "172.22.0.1/24" },
		bridgeSubnet: "10.89.77.0/24",
		credentials: {
			api: { username: "admin", password: "api-password" },
			htpasswd: "admin:$2y$10$C4Nn1uUcoK7dqcYV4E1cduPIP1cGSnNaQkJWgmrWyKLIXE0xDLdPi",
			databasePassword: "database-password",
		},
		tls: { certificate: "CERTIFICATE\n", key: "KEY\n", ca: "CA\n" },
		deployRamdisk: {
			kernel: "/var/cache/ironstrap/ipa/vmlinuz",
			initramfs: "/var/cache/ironstrap/ipa/initramfs",
			digest: "sha256:00112233445566778899aabbccddeeff",
		},
		...changes,
	};
}

/** Content of a rendered file; fails when there is none. */
export function contentOf(
	files: readonly { readonly path: string; readonly content: string }[],
	path: string,
): string {
	const file = files.find((each) => each.path === path);
	if (file === undefined)
		throw new Error(`no file ${path} among ${files.map((each) => each.path).join(" ")}`);
	return file.content;
}
