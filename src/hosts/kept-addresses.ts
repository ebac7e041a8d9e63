import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { Lease } from "../stack/leases.ts";
import type { KeptAddress, StoredHost } from "../state/host-store.ts";
import { isDeployed } from "./rules.ts";

/**
 * What a deployed server keeps: the addresses that it holds by our leases. A server that runs something must not lose
 * its address because this machine is gone. A lease of now beats what was kept; nothing is kept of other servers.
 */
export function keptAddresses(
	{ spec }: BareMetalHost,
	{ addresses = [], hardware, status }: StoredHost,
	leases: readonly Lease[],
): readonly KeptAddress[] {
	if (!isDeployed(status.provisioning.state)) return [];
	const own = new Set(
		[spec.bootMACAddress, ...(hardware?.nics ?? []).map(({ mac }) => mac)].map((mac) => mac?.toLowerCase()),
	);
	const held = leases.filter(({ mac }) => own.has(mac)).map(({ address, mac }) => [mac, address] as const);
	const all = new Map([...addresses.map(({ address, mac }) => [mac, address] as const), ...held]);
	return [...all].sort().map(([mac, address]) => ({ mac, address }));
}
