import { parseBmcAddress } from "../resources/bmc-address.ts";
import type { HostPlan, SitePlan } from "./plan.ts";

/** A `BareMetalHost` with comments. */
export function hostText(
	plan: Pick<SitePlan, "addresses" | "image">,
	host: HostPlan,
	namespace: string,
): string {
	const { networkBoot } = parseBmcAddress(host.bmc);
	return `# A server, as baremetal-operator takes it.
apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata:
  name: ${host.name}
  namespace: ${namespace}
spec:
  online: true
${macText(host)}  bmc:
    # The scheme says how it boots: ${networkBoot ? "over the network" : "from virtual media, which the BMC fetches from this machine"}.
    address: ${JSON.stringify(host.bmc)}
    credentialsName: ${host.name}-bmc
${verificationText(host)}${networkText(plan, host)}${imageText(plan)}`;
}

function macText({ bootMac }: HostPlan): string {
	return bootMac === undefined
		? ""
		: `  # The network card that the server is known and booted by.\n  bootMACAddress: ${bootMac}\n`;
}

function verificationText({ disableCertificateVerification }: HostPlan): string {
	if (!disableCertificateVerification) return "";
	return `    # No public authority vouches for this BMC's certificate. Better: its CA in Ironic.spec.tls.bmcCA.
    disableCertificateVerification: true
`;
}

function networkText(
	{ addresses }: Pick<SitePlan, "addresses">,
	{ name, address, bootMac }: HostPlan,
): string {
	if (addresses !== "static" || address === undefined || bootMac === undefined) return "";
	return `  # ${address}, while it is inspected and deployed: nobody gives out addresses there.
  preprovisioningNetworkDataName: ${name}-network
`;
}

function imageText({ image }: Pick<SitePlan, "image">): string {
	if (image === undefined)
		return `  # Without an image the server is inspected and waits. To deploy it, add:
  # image:
  #   url: https://images.example.org/node.qcow2
  #   checksum: https://images.example.org/node.qcow2.sha256
  #   checksumType: sha256
`;
	return `  # What is written to its disk.
  image:
    url: ${JSON.stringify(image.url)}
    checksum: ${JSON.stringify(image.checksum)}
    checksumType: ${checksumType(image.checksum)}
`;
}

function checksumType(checksum: string): string {
	if (/^https?:/i.test(checksum)) return /sha512/i.test(checksum) ? "sha512" : "sha256";
	return { 32: "md5", 64: "sha256", 128: "sha512" }[checksum.length] ?? "auto";
}
