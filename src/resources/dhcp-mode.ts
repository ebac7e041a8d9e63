import type { Bootstrap } from "./bootstrap.ts";
import type { Ironic } from "./ironic.ts";

/**
 * `full`: addresses from the ranges. `reservations`: only addresses that `networking.dhcp.hosts` names. `proxy`: another
 * server gives out the addresses, we only tell network-booting clients what to load. `off`: no dnsmasq at all.
 */
export type DhcpMode = "full" | "reservations" | "proxy" | "off";

/** A mode in which there is a dnsmasq. */
export type ServedMode = Exclude<DhcpMode, "off">;

/** How the stack takes part in DHCP; a `Bootstrap` that says nothing leaves it to whether the `Ironic` has `networking.dhcp`. */
export function dhcpModeOf(site: {
	readonly ironic: Pick<Ironic, "spec">;
	readonly bootstrap?: Pick<Bootstrap, "spec"> | undefined;
}): DhcpMode {
	const written = site.bootstrap?.spec.dhcp.mode ?? "auto";
	if (written === "proxy" || written === "off") return written;
	if (site.ironic.spec.networking.dhcp === undefined) return "off";
	return written === "auto" ? "full" : written;
}

/**
 * Whether IPv6 networks are announced, never with a router (lifetime 0). By default only where the provisioning network
 * is ours alone: on a shared one every neighbour would take an address of the network.
 */
export function announcesPrefixes({ spec }: Pick<Bootstrap, "spec">): boolean {
	const { routerAdvertisements } = spec.dhcp;
	return routerAdvertisements === "auto"
		? spec.fence.mode === "dedicated"
		: routerAdvertisements === "always";
}
