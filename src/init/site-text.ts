import { hostText } from "./host-text.ts";
import type { HostPlan, SitePlan } from "./plan.ts";
import { networkDataText, secretText } from "./secret-text.ts";

/** A file of the site. */
export interface SiteFile {
	/** Within the site's folder. */
	readonly name: string;
	readonly text: string;
	/** Whoever may read it: secrets are their owner's alone. */
	readonly mode: 0o600 | 0o644;
}

/** The namespace that Metal3's own documents use. */
export const NAMESPACE = "metal3";

/** A plan as commented manifests, each Secret in a file of its own. Pure. `passwords`: by host name. */
export function siteFiles(plan: SitePlan, passwords: ReadonlyMap<string, string>): readonly SiteFile[] {
	return [
		{ name: "ironic.yaml", text: ironicText(plan), mode: 0o644 },
		{ name: "bootstrap.yaml", text: bootstrapText(plan), mode: 0o644 },
		...plan.hosts.map((host) => hostFile(plan, host, NAMESPACE)),
		...plan.hosts.flatMap((host): SiteFile[] => [
			bmcSecretFile(host, passwords.get(host.name) ?? "", NAMESPACE),
			...(hasFixedAddress(plan, host) ? [networkSecretFile(plan, host)] : []),
		]),
	];
}

/** The `BareMetalHost` of a server. */
export function hostFile(
	plan: Pick<SitePlan, "addresses" | "image">,
	host: HostPlan,
	namespace: string,
): SiteFile {
	return { name: `host-${host.name}.yaml`, text: hostText(plan, host, namespace), mode: 0o644 };
}

/** The log-in at its BMC, which the `BareMetalHost` names. */
export function bmcSecretFile({ name, username }: HostPlan, password: string, namespace: string): SiteFile {
	const text = secretText(`${name}-bmc`, namespace, { username, password });
	return { name: `secret-${name}-bmc.yaml`, text, mode: 0o600 };
}

function networkSecretFile(plan: SitePlan, host: HostPlan): SiteFile {
	const text = secretText(`${host.name}-network`, NAMESPACE, { networkData: networkDataText(plan, host) });
	return { name: `secret-${host.name}-network.yaml`, text, mode: 0o600 };
}

export function hasFixedAddress(
	{ addresses }: SitePlan,
	{ address, bootMac }: SitePlan["hosts"][number],
): boolean {
	return addresses === "static" && address !== undefined && bootMac !== undefined;
}

function ironicText(plan: SitePlan): string {
	return `# The Ironic service, as ironic-standalone-operator takes it; the target cluster gets the same manifest.
apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata:
  name: ${plan.name}
  namespace: ${NAMESPACE}
spec:
  networking:
    # The interface towards the servers, and this machine's address on it: servers and BMCs fetch from there.
    interface: ${plan.interface}
    ipAddress: ${plan.address}
${dhcpText(plan)}  deployRamdisk:
    # What the deploy ramdisk says appears on the server's serial console too.
    extraKernelParams: console=tty0 console=ttyS0
`;
}

function dhcpText({ boot, addresses, range, network }: SitePlan): string {
	if (boot === "network" && range !== undefined)
		return `    # Servers boot over the network: this machine answers DHCP here, and only here.
    dhcp:
      networkCIDR: ${network.cidr}
      # Each deployed server keeps its address; leave room for the servers to come.
      rangeBegin: ${range.begin}
      rangeEnd: ${range.end}
`;
	const source =
		addresses === "existing-dhcp"
			? "from the DHCP server that is there already"
			: "fixed, from the network Secret of each host";
	return `    # No \`dhcp\`: servers boot from virtual media, and nothing here answers DHCP. Their addresses are
    # ${source}.
`;
}

function bootstrapText({ name, ramdisk }: SitePlan): string {
	const comment = "# The kernel and initramfs of an ironic-python-agent ramdisk, files on this machine.";
	const spec =
		ramdisk === undefined
			? `spec: {}
${comment}
# \`ironstrap up\` needs it; put the two paths here, in place of the line above:
# spec:
#   deployRamdisk:
#     kernel: /srv/ipa/kernel
#     initramfs: /srv/ipa/initramfs
`
			: `spec:
  ${comment}
  deployRamdisk:
    kernel: ${JSON.stringify(ramdisk.kernel)}
    initramfs: ${JSON.stringify(ramdisk.initramfs)}
`;
	return `# What only the bootstrap machine has; everything else of it has a default.
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata:
  name: ${name}
${spec}`;
}
