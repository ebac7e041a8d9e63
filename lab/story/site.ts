import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Lab } from "../lab.ts";
import { BMC_NETWORK, PROVISIONING } from "../network.ts";
import type { StoryArtefacts } from "./artefacts.ts";

export type BootMethod = "ipxe" | "virtual-media";

export interface StoryHost {
	readonly name: string;
	readonly bmcAddress: string;
	readonly bootMAC: string;
	readonly firmware: "uefi" | "bios";
}

export interface StorySite {
	readonly boot: BootMethod;
	/** It will be handed over to a cluster. Default false. */
	readonly pivot?: boolean | undefined;
	readonly host: StoryHost;
	readonly bmc: { readonly username: string; readonly password: string };
	/** Ends up on the config drive, and from there on the console of the booted system. */
	readonly nonce: string;
	readonly ramdisk: { readonly kernel: string; readonly initramfs: string };
	readonly image: { readonly url: string; readonly sha256: string };
}

/** The address that a server takes for itself where there is no DHCP. */
export const staticAddress = "172.22.0.60";

/**
 * An ordinary site, as a Metal3 user would write it: an `Ironic`, two Secrets and a `BareMetalHost`, and what only a
 * bootstrap machine has in a `Bootstrap`. Over virtual media there is no DHCP server at all: the address of the
 * deploy ramdisk comes from `preprovisioningNetworkDataName`.
 */
export function siteManifests(site: StorySite): Readonly<Record<string, string>> {
	return {
		"ironic.yaml": ironicManifest(site),
		"host.yaml": hostManifest(site),
		"secrets.yaml": secretManifests(site),
	};
}

/** The site of the lab's first server, a UEFI one that gets the test system. */
export function siteOfLab(
	{ bmc, servers: [server] }: Lab,
	artefacts: StoryArtefacts,
	{ boot, nonce, pivot }: Pick<StorySite, "boot" | "nonce" | "pivot">,
): StorySite {
	if (server === undefined) throw new Error("the lab has no server");
	return {
		boot,
		pivot,
		host: {
			name: server.name,
			bmcAddress: boot === "ipxe" ? server.bmcAddress : server.virtualMediaAddress,
			bootMAC: server.mac,
			firmware: "uefi",
		},
		bmc,
		nonce,
		ramdisk: artefacts.ramdisk,
		image: { url: imageUrl(artefacts.os.image), sha256: artefacts.os.sha256 },
	};
}

/** Writes manifests as files; returns the folder. */
export function writeManifests(directory: string, manifests: Readonly<Record<string, string>>): string {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	for (const [file, text] of Object.entries(manifests))
		writeFileSync(join(directory, file), text, { mode: 0o600 });
	return directory;
}

/** An Ironic of its own: another machine's interface, and an address that moves with the control plane. */
const target = `  target:
    ironic:
      networking: { interface: eno1, ipAddress: 172.22.0.9, keepalived: { enabled: true } }
`;

function ironicManifest({ boot, pivot, ramdisk }: StorySite): string {
	const [rangeBegin, rangeEnd] = PROVISIONING.dhcpRange.split("-");
	const dhcp = `
    dhcp:
      networkCIDR: 172.22.0.0/24
      rangeBegin: ${rangeBegin}
      rangeEnd: ${rangeEnd}`;
	return `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata:
  name: metal3
  namespace: metal3
spec:
  networking:
    interface: ${PROVISIONING.interface}
    ipAddress: ${PROVISIONING.address}${boot === "ipxe" ? dhcp : ""}
  deployRamdisk:
    # the emulated server's clock stands still when the lab's machine is busy, and the kernel would panic over that
    extraKernelParams: console=ttyS0 no_timer_check
---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata:
  name: metal3
spec:
  # spares each boot of iPXE its wait for IPv6
  dhcp: { routerAdvertisements: always }
  deployRamdisk:
    kernel: ${ramdisk.kernel}
    initramfs: ${ramdisk.initramfs}
  deadlines:
    inspect: 10m
    provision: 15m
${pivot === true ? target : ""}`;
}

function hostManifest({ boot, host, image }: StorySite): string {
	return `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata:
  name: ${host.name}
  namespace: metal3
spec:
  online: true
  bootMACAddress: ${host.bootMAC}
  bootMode: ${host.firmware === "uefi" ? "UEFI" : "legacy"}
  bmc:
    address: ${host.bmcAddress}
    credentialsName: ${host.name}-bmc
  rootDeviceHints:
    deviceName: /dev/vda
  image:
    url: ${image.url}
    checksum: "${image.sha256}"
    checksumType: sha256
    format: qcow2
  userData:
    name: ${host.name}-user-data${boot === "virtual-media" ? `\n  preprovisioningNetworkDataName: ${host.name}-network` : ""}
`;
}

function secretManifests({ boot, bmc, host, nonce }: StorySite): string {
	const secrets = [
		secret(`${host.name}-bmc`, { username: bmc.username, password: bmc.password }),
		secret(`${host.name}-user-data`, { userData: `#cloud-config\n# nonce: ${nonce}\n` }),
	];
	if (boot === "virtual-media")
		secrets.push(secret(`${host.name}-network`, { networkData: networkData(host) }));
	return secrets.join("---\n");
}

/** OpenStack network data (https://docs.openstack.org/nova/latest/user/metadata.html), as BMO takes it. */
function networkData({ bootMAC }: StoryHost): string {
	return JSON.stringify({
		links: [{ id: "nic0", type: "phy", ethernet_mac_address: bootMAC, mtu: 1500 }],
		networks: [
			{
				id: "provisioning",
				link: "nic0",
				type: "ipv4",
				ip_address: staticAddress,
				netmask: "255.255.255.0",
				network_id: "provisioning",
				routes: [],
			},
		],
		services: [],
	});
}

function secret(name: string, data: Readonly<Record<string, string>>): string {
	const entries = Object.entries(data).map(
		([key, value]) => `  ${key}: ${Buffer.from(value).toString("base64")}\n`,
	);
	return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: metal3\ndata:\n${entries.join("")}`;
}

export const imagePort = 8081;

/** Where the story's disk image is served: on the BMC network, which no server reaches. */
export function imageUrl(file: string): string {
	return `http://${BMC_NETWORK.address}:${imagePort}/${basename(file)}`;
}
