import type { LabServer } from "../../../lab/lab.ts";
import { PROVISIONING } from "../../../lab/network.ts";

/** One host of the site, as a test wants it to be wrong or right. */
export interface HostText {
	readonly name: string;
	readonly server: LabServer;
	/** Instead of the server's own. */
	readonly bmcAddress?: string | undefined;
	readonly bootMAC?: string | undefined;
	/** Instead of a Secret of its own, `NAME-bmc`. */
	readonly credentialsName?: string | undefined;
	readonly password: string;
	/** Further lines of the spec, indented by two. */
	readonly more?: string | undefined;
}

export interface SiteText {
	readonly hosts?: readonly HostText[] | undefined;
	readonly address?: string | undefined;
	readonly ironicImage?: string | undefined;
	readonly kernel: string;
	readonly initramfs: string;
	/** Of an inspection, e.g. `20s`. */
	readonly inspect?: string | undefined;
}

/** Nobody answers there: the address of no machine, on the network of the BMCs. */
export const nobody = "redfish+http://192.168.222.99:8000/redfish/v1/Systems/1";

/** `metal3.yaml`, `hosts.yaml` and `secrets.yaml` of a site; each test changes one thing in it. */
export function siteText(site: SiteText): Readonly<Record<string, string>> {
	return {
		"metal3.yaml": ironicText(site),
		...(site.hosts === undefined
			? {}
			: {
					"hosts.yaml": site.hosts.map(hostText).join("---\n"),
					"secrets.yaml": site.hosts.map(secretText).join("---\n"),
				}),
	};
}

function ironicText({ address, initramfs, inspect, ironicImage, kernel }: SiteText): string {
	const [rangeBegin, rangeEnd] = PROVISIONING.dhcpRange.split("-");
	const images = ironicImage === undefined ? "" : `  images:\n    ironic: ${ironicImage}\n`;
	const deadlines = inspect === undefined ? "" : `  deadlines:\n    inspect: ${inspect}\n`;
	return `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata:
  name: metal3
  namespace: metal3
spec:
  networking:
    ipAddress: ${address ?? PROVISIONING.address}
    dhcp:
      networkCIDR: 172.22.0.0/24
      rangeBegin: ${rangeBegin}
      rangeEnd: ${rangeEnd}
---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata:
  name: metal3
spec:
  deployRamdisk:
    kernel: ${kernel}
    initramfs: ${initramfs}
${images}${deadlines}`;
}

function hostText({ bmcAddress, bootMAC, credentialsName, more = "", name, server }: HostText): string {
	return `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata:
  name: ${name}
  namespace: metal3
spec:
  online: false
  bootMACAddress: ${bootMAC ?? server.mac}
  bootMode: legacy
  automatedCleaningMode: disabled
  bmc:
    address: ${bmcAddress ?? server.bmcAddress}
    credentialsName: ${credentialsName ?? `${name}-bmc`}
${more}`;
}

function secretText({ name, password }: HostText): string {
	return `apiVersion: v1
kind: Secret
metadata:
  name: ${name}-bmc
  namespace: metal3
stringData:
  username: admin
  password: ${password}
`;
}
