import { type Fence, renderFence } from "../fence/fence.ts";
import type { FenceInputs } from "../fence/plan.ts";
import { nameServers } from "../linux/network-facts.ts";
import type { Site } from "../resources/site.ts";
import type { Machine } from "./machine.ts";

export type FenceMachine = Pick<Machine, "local" | "provisioning">;

/** What a fence depends on and this machine does not tell by itself. */
type Known = Pick<FenceInputs, "apart" | "bridgeSubnet" | "further" | "learntMacs" | "resolved">;

/** The fence of a site on this machine; `undefined` if the site wants none. */
export function fenceOf(site: Site, known: FenceMachine & Known): Fence | undefined {
	return renderFence(site, {
		...known,
		localAddresses: known.local.map(({ address }) => address),
		nameServers: nameServers(),
	});
}
