import type { BmcProbe, Proposal } from "../bmc/facts.ts";
import { IronstrapError } from "../lib/errors.ts";
import { bmcIdentity, parseBmcAddress } from "../resources/bmc-address.ts";
import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import type { MacAddress } from "../resources/mac-address.ts";
import type { Site } from "../resources/site.ts";
import type { BootMethod } from "./boot-method.ts";
import { nextHostName } from "./host-answer.ts";
import type { HostPlan } from "./plan.ts";
import { bmcSecretFile, hostFile, type SiteFile } from "./site-text.ts";

/** How the servers of a site boot, for one more of them: over the network where the stack answers their DHCP requests. */
export function bootMethodOf(site: Pick<Site, "bootstrap" | "ironic">): BootMethod {
	return dhcpModeOf(site) === "off" ? "virtual-media" : "network";
}

/** The names of a site's hosts in the namespace of its Ironic, where further ones belong. */
export function hostNames({ hosts, ironic }: Pick<Site, "hosts" | "ironic">): readonly string[] {
	const { namespace } = ironic.metadata;
	return hosts.flatMap(({ metadata }) => (metadata.namespace === namespace ? [metadata.name] : []));
}

/** `cp-0`, `cp-1` …: the next name that nobody has. */
export function freeHostName(site: Pick<Site, "hosts" | "ironic">): string {
	return nextHostName(hostNames(site).map((name) => ({ name })));
}

/**
 * The systems of a BMC that no host of the site stands for. Errors: `bmc-login` where they could not be read,
 * `bmc-systems-taken`. Pure.
 */
export function systemsToAdd(site: Pick<Site, "hosts">, probe: BmcProbe): readonly Proposal[] {
	const { authentication, proposals, redfish, warnings } = probe;
	if (redfish !== undefined && authentication !== "accepted")
		throw new IronstrapError({
			code: "bmc-login",
			message: `the BMC at ${probe.endpoint.host} could not be read`,
			seen: warnings[0] ?? authentication,
			fix:
				authentication === "not-sent"
					? `it speaks only unencrypted HTTP; if the password may be sent so, give http://${probe.endpoint.host}:${probe.endpoint.port}`
					: "correct the user name or the password; `ironstrap bmc probe` tries them by themselves",
		});
	const known = new Set(
		site.hosts.flatMap(({ spec: { bmc } }) => (bmc ? [bmcIdentity(parseBmcAddress(bmc.address))] : [])),
	);
	const free = proposals.filter(({ address }) => !known.has(bmcIdentity(parseBmcAddress(address))));
	if (free.length > 0) return free;
	throw new IronstrapError({
		code: "bmc-systems-taken",
		message: `every system of the BMC at ${probe.endpoint.host} is a host of the site already`,
		seen: proposals.map(({ address }) => address).join(", "),
		fix: "nothing to do; `ironstrap hosts` lists them",
	});
}

/** The one that was meant. Errors: `bmc-systems-several`. */
export function onlySystem(proposals: readonly Proposal[]): Proposal {
	const [only, another] = proposals;
	if (only !== undefined && another === undefined) return only;
	throw new IronstrapError({
		code: "bmc-systems-several",
		message: `the BMC has ${proposals.length} systems that are no hosts yet`,
		seen: proposals.map(({ systemPath }) => systemPath).join(", "),
		fix: "name one of them with --system",
	});
}

/** A host out of what the BMC told and what the person said. Errors: `bmc-mac-unknown`. */
export function planHost(
	proposal: Proposal,
	said: { readonly name: string; readonly username: string; readonly mac: MacAddress | undefined },
): HostPlan {
	const bootMac = said.mac ?? proposal.bootMac;
	if (bootMac === undefined)
		throw new IronstrapError({
			code: "bmc-mac-unknown",
			message: "the BMC does not tell the server's network cards",
			seen: proposal.address,
			fix: "give the address of the boot card with --mac; it is on a label, or in the server's setup",
		});
	return {
		...{ name: said.name, username: said.username, bmc: proposal.address, bootMac, address: undefined },
		disableCertificateVerification: proposal.disableCertificateVerification,
	};
}

/** Its manifests: the `BareMetalHost`, and the Secret with the log-in. */
export function hostFiles(host: HostPlan, password: string, namespace: string): readonly SiteFile[] {
	const plan = { addresses: "existing-dhcp", image: undefined } as const;
	return [hostFile(plan, host, namespace), bmcSecretFile(host, password, namespace)];
}
