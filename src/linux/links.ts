import { networkInterfaces } from "node:os";

/** An address of this machine and the interface that carries it. */
export interface LocalAddress {
	readonly interface: string;
	readonly mac: string;
	readonly address: string;
	/** The network in CIDR form, e.g. `172.22.0.1/24`. */
	readonly cidr: string;
	readonly family: "IPv4" | "IPv6";
}

/** Every address of every interface that is up, without loopback and IPv6 link-local ones. */
export function localAddresses(): readonly LocalAddress[] {
	const found: LocalAddress[] = [];
	for (const [name, entries] of Object.entries(networkInterfaces()))
		for (const { address, cidr, family, internal, mac } of entries ?? [])
			if (!internal && cidr !== null && !address.startsWith("fe80:"))
				found.push({ interface: name, mac, address, cidr, family });
	return found;
}
