import { type DeployRamdisk, readDeployRamdisk } from "../checks/deploy-ramdisk.ts";
import { findImages, type StackImages } from "../checks/images.ts";
import { type ProvisioningAddress, provisioningAddress } from "../checks/provisioning-address.ts";
import type { Engine } from "../engine/engine.ts";
import { type LocalAddress, localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { connectSiteEngine } from "./site-engine.ts";

/** What this machine offers to a site. Looking changes nothing: whatever is missing is refused before anything is made. */
export interface Machine {
	readonly engine: Engine;
	readonly local: readonly LocalAddress[];
	readonly provisioning: ProvisioningAddress & { readonly ipv6Cidr: string | undefined };
	readonly images: StackImages;
	readonly deployRamdisk: DeployRamdisk;
}

export async function lookAtMachine(site: Site, roots: StateRoots, signal: AbortSignal): Promise<Machine> {
	const local = localAddresses();
	const provisioning = provisioningOf(site, local);
	// side by side, because either takes a while; what is wrong with the site is told first
	const connecting = connectSiteEngine(site.bootstrap.spec.engine, sitePaths(site.name, roots), signal);
	connecting.catch(() => undefined);
	const deployRamdisk = await readDeployRamdisk(site);
	const engine = await connecting;
	return {
		engine,
		local,
		provisioning,
		images: await findImages(site, engine, signal),
		deployRamdisk,
	};
}

/** The provisioning address, and an IPv6 one of the same interface. */
export function provisioningOf(site: Site, local: readonly LocalAddress[]): Machine["provisioning"] {
	const provisioning = provisioningAddress(site, local);
	const ipv6 = local.find((link) => link.interface === provisioning.interface && link.family === "IPv6");
	return { ...provisioning, ipv6Cidr: ipv6?.cidr };
}
