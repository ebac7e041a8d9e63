import { IronstrapError } from "../lib/errors.ts";
import type { Lease } from "../stack/leases.ts";
import type { HostExport } from "./host-export.ts";

/** A running server whose address is a lease of this machine's. */
export interface LeaseDependence extends Lease {
	readonly host: string;
}

/** Leases that running servers of these hold now. Times in seconds since 1970. */
export function leaseDependences(
	hosts: readonly HostExport[],
	leases: readonly Lease[],
	now: number,
): readonly LeaseDependence[] {
	return hosts.flatMap(({ host, node, ports, stored }) => {
		if (node?.power_state !== "power on" || node.provision_state !== "active") return [];
		const macs = new Set(
			[
				host.spec.bootMACAddress,
				...ports.map(({ address }) => address),
				...(stored?.hardware?.nics ?? []).map(({ mac }) => mac),
			].map((mac) => mac?.toLowerCase()),
		);
		return leases
			.filter(({ expires, mac }) => macs.has(mac) && (expires === 0 || expires > now))
			.map((lease) => ({ ...lease, host: `${host.metadata.namespace}/${host.metadata.name}` }));
	});
}

/**
 * A lease that ends would take the address away from a running server: whoever serves DHCP next has never heard of it
 * and refuses its renewal. A lease without end is never renewed.
 */
export function leaseFaults(leases: readonly LeaseDependence[]): readonly IronstrapError[] {
	return leases
		.filter(({ expires }) => expires !== 0)
		.map(
			({ address, expires, host, mac }) =>
				new IronstrapError({
					code: "pivot-dhcp-dependence",
					message: "the server's address is a lease of this machine's, and would be lost after the hand-over",
					subject: `BareMetalHost ${host}`,
					seen: `${mac} has ${address} until ${new Date(expires * 1000).toISOString()}`,
					fix: "run `ironstrap up`, which reserves it for ever, and let the server renew its lease (or boot); or, if another DHCP server will give it the same address, add --dhcp-elsewhere",
				}),
		);
}
