import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Engine } from "../engine/engine.ts";
import { keptAddresses } from "../hosts/kept-addresses.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { dnsmasqHostFile } from "../stack/dnsmasq-conf.ts";
import { parseLeases } from "../stack/leases.ts";
import { leaseFile } from "./lease-file.ts";
import type { Session } from "./session.ts";

/**
 * Notes the addresses that a deployed server holds, and has dnsmasq lease them without end, which it reads at once:
 * what boots from the disk gets such a lease, what runs already when it renews.
 */
export function addressKeeper(
	engine: Engine,
	{ hosts, name, paths }: Pick<Session, "hosts" | "name" | "paths">,
): (host: BareMetalHost, signal: AbortSignal) => Promise<void> {
	return async (host, signal) => {
		const stored = await hosts.read(host.metadata);
		if (stored === undefined) return;
		const addresses = keptAddresses(host, stored, parseLeases(await leaseFile(engine, name, signal)));
		if (isDeepStrictEqual(addresses, stored.addresses ?? [])) return;
		await hosts.write(host.metadata, { ...stored, addresses });
		for (const { content, path } of addresses.map(dnsmasqHostFile))
			await writeFileAtomic(join(paths.runDirectory, path), content, { mode: 0o644 });
	};
}
