import { apartIn } from "../fence/before.ts";
import type { OpenPort } from "../fence/port-table.ts";
import { localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import { readApplied } from "../state/applied.ts";
import { openHostStore } from "../state/host-store.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { networkBefore } from "./before.ts";
import { fenceOf } from "./fence.ts";
import { unnamedMacs } from "./known-servers.ts";
import { provisioningOf } from "./machine.ts";
import { bridgeSubnetOf } from "./render-site.ts";
import { chooseSite } from "./session.ts";

export interface ShownFence {
	readonly site: string;
	readonly mode: Site["bootstrap"]["spec"]["fence"]["mode"];
	/** For `nft -f`; `null` if the site wants no fence. */
	readonly ruleset: string | null;
	readonly ports: readonly OpenPort[];
	readonly notes: readonly string[];
}

const lookMs = 30_000;

/** The fence that an `up` of these manifests would put up here. Needs neither root nor an engine. */
export async function fenceOfManifests(site: Site, signal: AbortSignal): Promise<ShownFence> {
	const local = localAddresses();
	const machine = { local, provisioning: await provisioningOf(site, local, AbortSignal.timeout(lookMs)) };
	const subnet = await bridgeSubnetOf(site, local, undefined);
	return shown(site, await fenceOf(site, machine, subnet, [], apartIn(await networkBefore(local, signal))));
}

/** The fence of the site as applied. */
export async function fenceOfApplied(
	wanted: string | undefined,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<ShownFence> {
	const name = await chooseSite(wanted, roots);
	const paths = sitePaths(name, roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const local = localAddresses();
	const machine = { local, provisioning: await provisioningOf(site, local, AbortSignal.timeout(lookMs)) };
	const subnet = await bridgeSubnetOf(site, local, paths.pins);
	const macs = await unnamedMacs(openHostStore(paths.hostsDirectory), paths);
	const before = await networkBefore(local, signal, { own: paths.before });
	return shown(site, await fenceOf(site, machine, subnet, macs, apartIn(before)));
}

function shown(site: Site, fence: Awaited<ReturnType<typeof fenceOf>>): ShownFence {
	return {
		site: site.name,
		mode: site.bootstrap.spec.fence.mode,
		ruleset: fence?.text ?? null,
		ports: fence?.ports ?? [],
		notes: fence?.notes ?? [],
	};
}
