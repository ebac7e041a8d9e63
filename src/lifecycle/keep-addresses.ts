import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Engine } from "../engine/engine.ts";
import type { HostContext } from "../hosts/context.ts";
import { keptAddresses } from "../hosts/kept-addresses.ts";
import { isDeployed } from "../hosts/rules.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { dnsmasqHostFile } from "../stack/dnsmasq-conf.ts";
import { parseLeases } from "../stack/leases.ts";
import { leaseFile } from "./lease-file.ts";
import type { Session } from "./session.ts";

/**
 * Notes the addresses that deployed servers hold, and has dnsmasq lease them without end, which it reads at once: what
 * boots from the disk gets such a lease, what runs already when it renews. The lease file is read once, and not at all
 * when no server is deployed.
 */
export function addressKeeper(
	engine: Engine,
	{ hosts: store, name, paths }: Pick<Session, "hosts" | "name" | "paths">,
): NonNullable<HostContext["keepAddresses"]> {
	return async (hosts, signal) => {
		const all = await Promise.all(
			hosts.map(async (host) => ({ host, stored: await store.read(host.metadata) })),
		);
		const deployed = all.flatMap(({ host, stored }) =>
			stored !== undefined && isDeployed(stored.status.provisioning.state) ? [{ host, stored }] : [],
		);
		if (deployed.length === 0) return;
		const leases = parseLeases(await leaseFile(engine, name, signal));
		for (const { host, stored } of deployed) {
			const addresses = keptAddresses(host, stored, leases);
			if (isDeepStrictEqual(addresses, stored.addresses ?? [])) continue;
			await store.write(host.metadata, { ...stored, addresses });
			for (const { content, path } of addresses.map(dnsmasqHostFile))
				await writeFileAtomic(join(paths.runDirectory, path), content, { mode: 0o644 });
		}
	};
}
