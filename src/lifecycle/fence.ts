import { namesToResolve } from "../fence/egress.ts";
import { type Fence, renderFence } from "../fence/fence.ts";
import type { FenceInputs } from "../fence/plan.ts";
import { forwardingNow, nameServers, resolveNames } from "../linux/network-facts.ts";
import type { Site } from "../resources/site.ts";
import type { StoredHost } from "../state/host-store.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";
import type { Machine } from "./machine.ts";

/** What the machine's network was like before the site's first `up`; an engine changes it. */
interface Before {
	readonly formatVersion: 1;
	readonly links: readonly string[];
	readonly forwarding: { readonly v4: boolean; readonly v6: boolean };
}

export type FenceMachine = Pick<Machine, "local" | "provisioning">;

/** The fence of a site on this machine; `undefined` if the site wants none. Reads and resolves, changes nothing. */
export async function fenceOf(
	site: Site,
	{ local, provisioning }: FenceMachine,
	bridgeSubnet: string,
	hosts: readonly StoredHost[],
	apart: FenceInputs["apart"],
): Promise<Fence | undefined> {
	if (site.bootstrap.spec.fence.mode === "none") return undefined;
	return renderFence(site, {
		provisioning,
		local,
		localAddresses: local.map(({ address }) => address),
		bridgeSubnet,
		nameServers: nameServers(),
		resolved: await resolveNames(namesToResolve(site)),
		learntMacs: hosts.flatMap(({ hardware }) =>
			(hardware?.nics ?? []).flatMap(({ mac }) => (mac === undefined ? [] : [mac])),
		),
		apart,
	});
}

/**
 * Between which interfaces this machine did not route before the first `up`. Remembered in `file`, because engines
 * switch forwarding on, for good; without a file, as it is now.
 */
export async function linksApart(
	local: FenceMachine["local"],
	file: string | undefined,
): Promise<FenceInputs["apart"]> {
	const now: Before = {
		formatVersion: 1,
		links: [...new Set(local.map((address) => address.interface))].sort(),
		forwarding: forwardingNow(),
	};
	const known = file === undefined ? undefined : await readVersioned<Before>(file, 1);
	if (known === undefined && file !== undefined) await writeVersioned(file, now);
	const { forwarding, links } = known ?? now;
	return { links, v4: !forwarding.v4, v6: !forwarding.v6 };
}
