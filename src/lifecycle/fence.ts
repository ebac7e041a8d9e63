import { namesToResolve } from "../fence/egress.ts";
import { type Fence, renderFence } from "../fence/fence.ts";
import type { FenceInputs } from "../fence/plan.ts";
import { nameServers, resolveNames } from "../linux/network-facts.ts";
import type { Site } from "../resources/site.ts";
import type { Machine } from "./machine.ts";

export type FenceMachine = Pick<Machine, "local" | "provisioning">;

/** The fence of a site on this machine; `undefined` if the site wants none. Reads and resolves, changes nothing. */
export async function fenceOf(
	site: Site,
	{ local, provisioning }: FenceMachine,
	bridgeSubnet: string,
	learntMacs: readonly string[],
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
		learntMacs,
		apart,
	});
}
