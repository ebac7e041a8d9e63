import { type DeployRamdisk, readDeployRamdisk } from "../checks/deploy-ramdisk.ts";
import { findImages, type StackImages } from "../checks/images.ts";
import { type ProvisioningAddress, provisioningAddress } from "../checks/provisioning-address.ts";
import type { Engine } from "../engine/engine.ts";
import { type LocalAddress, localAddresses } from "../linux/links.ts";
import { localAddressesTowards } from "../linux/routes.ts";
import type { Site } from "../resources/site.ts";
import type { StackInputs } from "../stack/inputs.ts";
import { routedBmcs } from "../stack/media.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { readPins } from "./pins.ts";
import { connectSiteEngine } from "./site-engine.ts";

/** What this machine offers to a site. Looking changes nothing: whatever is missing is refused before anything is made. */
export interface Machine {
	readonly engine: Engine;
	readonly local: readonly LocalAddress[];
	readonly provisioning: ProvisioningAddress & Pick<StackInputs["provisioning"], "ipv6Cidr" | "media">;
	readonly images: StackImages;
	readonly deployRamdisk: DeployRamdisk;
}

export async function lookAtMachine(site: Site, roots: StateRoots, signal: AbortSignal): Promise<Machine> {
	const paths = sitePaths(site.name, roots);
	const local = localAddresses();
	const provisioning = await provisioningOf(site, local, signal);
	// side by side, because either takes a while; what is wrong with the site is told first
	const connecting = connectSiteEngine(site.bootstrap.spec.engine, paths, signal);
	connecting.catch(() => undefined);
	const deployRamdisk = await readDeployRamdisk(site);
	const engine = await connecting;
	return {
		engine,
		local,
		provisioning,
		images: await findImages(
			site,
			engine,
			{ pins: (await readPins(paths.pins)).images ?? {}, cacheDirectory: paths.cacheDirectory },
			signal,
		),
		deployRamdisk,
	};
}

/** The provisioning address, an IPv6 one of the same interface, and by which others BMCs reach this machine. */
export async function provisioningOf(
	site: Site,
	local: readonly LocalAddress[],
	signal: AbortSignal,
): Promise<Machine["provisioning"]> {
	const provisioning = provisioningAddress(site, local);
	const ipv6 = local.find((link) => link.interface === provisioning.interface && link.family === "IPv6");
	const media = await localAddressesTowards(routedBmcs(site), signal);
	return { ...provisioning, ipv6Cidr: ipv6?.cidr, media };
}
