import type { LocalAddress } from "../linux/links.ts";
import { parseIpAddress } from "../resources/ip.ts";
import { describe, type ObjectRef, type Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import type { Check } from "./check.ts";
import { refOf } from "./site-objects.ts";

/**
 * The addresses besides the provisioning one that the site takes for this machine's, or for nobody's. Codes:
 * `listen-address-missing`, `external-address-elsewhere`, `keepalived-vip-here`.
 */
export function ownAddresses(site: Site, local: readonly LocalAddress[]): Check {
	return {
		id: "own-addresses",
		why: "a port cannot be published on an address that this machine does not have",
		look: async () => addressFaults(site, local),
	};
}

function addressFaults(site: Site, local: readonly LocalAddress[]): readonly Finding[] {
	const mine = new Map(local.map(({ address, ...link }) => [parseIpAddress(address).text, link.interface]));
	const seen = local.map(({ cidr, interface: name }) => `${name} ${cidr}`).join(", ") || "no address at all";
	const { keepalived, externalIP } = site.ironic.spec.networking;
	const findings: Finding[] = [];
	const say = (
		ref: ObjectRef,
		path: readonly (string | number)[],
		rest: Omit<Finding, "where" | "subject">,
	) => findings.push({ ...rest, subject: describe(ref), where: site.locate(ref, ["spec", ...path]) });
	for (const [index, text] of site.bootstrap.spec.api.listen.entries())
		if (!mine.has(parseIpAddress(text).text))
			say(refOf(site, "Bootstrap"), ["api", "listen", index], {
				code: "listen-address-missing",
				severity: "error",
				message: `no interface of this machine has the address ${text}`,
				seen,
				fix: "give one of this machine's addresses, or add it first (`ip addr add`)",
			});
	if (externalIP && !mine.has(parseIpAddress(externalIP).text))
		say(refOf(site, "Ironic"), ["networking", "externalIP"], {
			code: "external-address-elsewhere",
			severity: "warning",
			message: `no interface of this machine has the external address ${externalIP}`,
			seen,
			fix: "nothing to do if a router forwards it to this machine; else correct it",
		});
	for (const [index, vip] of (keepalived?.additionalVIPs ?? []).entries()) {
		const link = mine.get(parseIpAddress(vip.ipAddress).text);
		if (link !== undefined)
			say(refOf(site, "Ironic"), ["networking", "keepalived", "additionalVIPs", index, "ipAddress"], {
				code: "keepalived-vip-here",
				severity: "warning",
				message: `the additional VIP ${vip.ipAddress}, meant for the target, is this machine's own address`,
				seen: `on ${link}`,
				fix: "give the target an address of its own: both will be switched on at the same time",
			});
	}
	return findings;
}
