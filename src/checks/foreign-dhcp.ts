import type { DhcpLook } from "../linux/dhcp-look.ts";
import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import { describe, type Site } from "../resources/site.ts";
import type { Check } from "./check.ts";

/**
 * Nobody else gives out addresses where the stack will. `look` asks on the provisioning interface; where it could not,
 * nothing is said. Code: `dhcp-server-elsewhere`.
 */
export function foreignDhcp(site: Site, look: (signal: AbortSignal) => Promise<DhcpLook>): Check {
	return {
		id: "foreign-dhcp",
		why: "of two DHCP servers the faster one wins, and a server that hears the wrong one does not boot",
		async look(signal) {
			if (!givesOutAddresses(site)) return [];
			const seen = await look(signal);
			const others = seen.outcome === "looked" ? seen.servers.filter(({ own }) => !own) : [];
			if (others.length === 0) return [];
			const { name, namespace } = site.ironic.metadata;
			const ref = { kind: "Ironic", namespace, name };
			return [
				{
					code: "dhcp-server-elsewhere",
					severity: "warning",
					message: "another DHCP server gives out addresses on the provisioning network",
					where: site.locate(ref, ["spec", "networking", "dhcp"]),
					subject: describe(ref),
					seen: others.map(({ address }) => address).join(", "),
					fix: "stop it, let it give out the addresses (`Bootstrap.spec.dhcp.mode: proxy`), or use a network of its own",
				},
			];
		},
	};
}

/** Whether a second server would be in the way: beside a proxy there must be one. */
function givesOutAddresses(site: Site): boolean {
	const mode = dhcpModeOf(site);
	return mode === "full" || mode === "reservations";
}
