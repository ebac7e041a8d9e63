import { apartIn } from "../fence/before.ts";
import type { Fence } from "../fence/fence.ts";
import type { OpenPort } from "../fence/port-table.ts";
import { containersReach, type Reach } from "../fence/reach.ts";
import { localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { appliedFence } from "./applied-fence.ts";
import { networkBefore } from "./before.ts";
import { fenceOf } from "./fence.ts";
import { provisioningOf } from "./machine.ts";
import { resolveSite } from "./names.ts";
import { bridgeSubnetOf } from "./render-site.ts";
import { chooseSite } from "./session.ts";

export interface ShownFence {
	readonly site: string;
	readonly mode: Site["bootstrap"]["spec"]["fence"]["mode"];
	/** For `nft -f`; `null` if the site wants no fence. */
	readonly ruleset: string | null;
	readonly ports: readonly OpenPort[];
	/** What containers may reach; empty where the site does not limit it. */
	readonly reach: readonly Reach[];
	readonly notes: readonly string[];
}

/** The fence that an `up` of these manifests would put up here. Needs neither root nor an engine. */
export async function fenceOfManifests(site: Site, signal: AbortSignal): Promise<ShownFence> {
	const local = localAddresses();
	const fence = fenceOf(site, {
		local,
		provisioning: await provisioningOf(site, local, signal),
		bridgeSubnet: await bridgeSubnetOf(site, local, undefined),
		learntMacs: [],
		apart: apartIn(await networkBefore(local, signal)),
		...(await resolveSite(site, undefined, { keep: false, signal })),
	});
	return shown(site, fence);
}

/** The fence of the site as applied. */
export async function fenceOfApplied(
	wanted: string | undefined,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<ShownFence> {
	const name = await chooseSite(wanted, roots);
	const { fence, site } = await appliedFence(sitePaths(name, roots), signal, { keep: false });
	return shown(site, fence);
}

function shown(site: Site, fence: Fence | undefined): ShownFence {
	return {
		site: site.name,
		mode: site.bootstrap.spec.fence.mode,
		ruleset: fence?.text ?? null,
		ports: fence?.ports ?? [],
		reach: site.bootstrap.spec.fence.egress === "open" ? [] : containersReach(fence?.sets ?? []),
		notes: fence?.notes ?? [],
	};
}
