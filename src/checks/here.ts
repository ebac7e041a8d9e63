import { connectEngine } from "../engine/connect.ts";
import type { Engine } from "../engine/engine.ts";
import { localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import type { Check, CheckContext } from "./check.ts";
import { deployRamdiskCheck } from "./deploy-ramdisk.ts";
import { engineCheck } from "./engine.ts";
import { imagesCheck } from "./images.ts";
import { networkClashCheck } from "./network-clash.ts";
import { ownAddressesCheck } from "./own-addresses.ts";
import { provisioningAddressCheck } from "./provisioning-address.ts";

/** What `up` needs of this machine, in the order in which a person would put it right. */
export const HERE_CHECKS: readonly Check[] = [
	provisioningAddressCheck,
	ownAddressesCheck,
	networkClashCheck,
	deployRamdiskCheck,
	engineCheck,
	imagesCheck,
];

/** Everything that this machine lacks for a site, all at once, in the order of the checks. Changes nothing. */
export async function checkHere(site: Site, signal: AbortSignal): Promise<readonly Finding[]> {
	let engine: Promise<Engine> | undefined;
	return runChecks(HERE_CHECKS, {
		site,
		local: localAddresses(),
		engine: () => {
			engine ??= connectEngine({ ...site.bootstrap.spec.engine, environment: process.env }, signal);
			return engine;
		},
		signal,
	});
}

export async function runChecks(
	checks: readonly Check[],
	context: CheckContext,
): Promise<readonly Finding[]> {
	const found = await Promise.all(checks.map(({ run }) => run(context)));
	context.signal.throwIfAborted();
	return found.flat();
}
