import { apartIn } from "../fence/before.ts";
import type { Fence } from "../fence/fence.ts";
import { localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import { readApplied } from "../state/applied.ts";
import { openHostStore } from "../state/host-store.ts";
import type { SitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { networkBefore } from "./before.ts";
import { fenceOf } from "./fence.ts";
import { unnamedMacs } from "./known-servers.ts";
import { provisioningOf } from "./machine.ts";
import { resolveSite } from "./names.ts";
import { bridgeSubnetOf } from "./render-site.ts";

/** The fence of a site as it was applied, on this machine as it is now. `keep` remembers what names resolve to. */
export async function appliedFence(
	paths: SitePaths,
	signal: AbortSignal,
	{ keep }: { readonly keep: boolean },
): Promise<{ readonly site: Site; readonly fence: Fence | undefined }> {
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const local = localAddresses();
	const fence = fenceOf(site, {
		local,
		provisioning: await provisioningOf(site, local, signal),
		bridgeSubnet: await bridgeSubnetOf(site, local, paths.pins),
		learntMacs: await unnamedMacs(openHostStore(paths.hostsDirectory), paths),
		apart: apartIn(await networkBefore(local, signal, { own: paths.before })),
		...(await resolveSite(site, paths.names, { keep, signal })),
	});
	return { site, fence };
}
