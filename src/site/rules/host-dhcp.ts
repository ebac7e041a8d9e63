import { parseBmcAddress } from "../../resources/bmc-address.ts";
import { dhcpModeOf } from "../../resources/dhcp-mode.ts";
import { rangeSize } from "../../resources/ip.ts";
import type { Draft } from "../draft.ts";
import { poolsOf } from "./dhcp-pools.ts";
import { attempt } from "./ironic-rule.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** Whether DHCP is enough for the hosts. */
export const hostDhcp: SiteRule = function* (draft) {
	const [ironic] = draft.ironics;
	if (!ironic) return;
	const { dhcp } = ironic.spec.networking;
	const mode = dhcpModeOf({ ironic, bootstrap: draft.bootstraps[0] });
	if (mode === "proxy" || mode === "reservations") return; // no pool of ours is drawn from
	const booting = draft.hosts.filter(bootsOverNetwork);
	if (!dhcp || mode === "off") {
		for (const host of booting)
			yield on(draft, host, ["spec", "bmc", "address"], "network-boot-without-dhcp", {
				severity: "warning",
				message: dhcp
					? "the host boots over the network, but `dhcp.mode` of the Bootstrap is `off`"
					: "the host boots over the network, but `networking.dhcp` of the Ironic is not set",
				fix: "set `networking.dhcp`, set `Bootstrap.spec.dhcp.mode: proxy` beside another DHCP server, or use virtual media",
			});
		return;
	}
	const pools = poolsOf(dhcp);
	const size = pools.reduce((sum, { range }) => sum + rangeSize(range), 0n);
	// Addresses are never taken away again: leases of deployed servers become reservations.
	if (pools.length > 0 && size < BigInt(draft.hosts.length))
		yield on(draft, ironic, ["spec", "networking", "dhcp"], "dhcp-pool-too-small", {
			severity: size < BigInt(booting.length) ? "error" : "warning",
			message: `the DHCP ranges have ${size} addresses for ${draft.hosts.length} hosts, ${booting.length} of which boot over the network`,
			fix: "widen the range",
		});
};

function bootsOverNetwork({ spec }: Draft["hosts"][number]): boolean {
	const { bmc, externallyProvisioned } = spec;
	if (!bmc || externallyProvisioned) return false;
	return attempt(() => parseBmcAddress(bmc.address))?.networkBoot ?? false;
}
