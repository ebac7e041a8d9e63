import { type Check, lookAll, runChecks } from "../checks/check.ts";
import { deployRamdisk } from "../checks/deploy-ramdisk.ts";
import { engineAnswers } from "../checks/engine.ts";
import { imagesThere } from "../checks/images.ts";
import { networkClash } from "../checks/network-clash.ts";
import { ownAddresses } from "../checks/own-addresses.ts";
import { provisioningAddressHere } from "../checks/provisioning-address.ts";
import type { Engine } from "../engine/engine.ts";
import { type LocalAddress, localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import { type Finding, isError } from "../site/finding.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { roomAndPorts } from "./check-machine.ts";
import { lookAtMachine } from "./machine.ts";
import type { LifecycleOptions } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";

/**
 * Everything that this machine lacks for a site, all at once. Changes nothing. Ports and room are looked at only where
 * the rest is in order: what is wanted of them depends on it.
 */
export async function findHere(
	site: Site,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<readonly Finding[]> {
	const found = await lookAll(hereChecks(site, localAddresses(), engineOf(site, roots, signal)), signal);
	if (found.some(isError)) return found;
	const machine = await lookAtMachine(site, roots, signal);
	return [...found, ...(await lookAll(await roomAndPorts(site, machine, roots, signal), signal))];
}

/** The same, as `up` wants it: what stands in the way is thrown together, what is doubtful becomes notes. */
export async function checkHere(site: Site, { emit, roots, signal }: LifecycleOptions): Promise<void> {
	const checks = hereChecks(site, localAddresses(), engineOf(site, roots, signal));
	for (const { fix, message } of await runChecks(checks, signal))
		emit({ type: "note", level: "warning", message: `${message}; ${fix}` });
}

/** In the order in which a person would put things right. Exported for its test. */
export function hereChecks(
	site: Site,
	local: readonly LocalAddress[],
	engine: () => Promise<Engine>,
): readonly Check[] {
	return [
		provisioningAddressHere(site, local),
		ownAddresses(site, local),
		networkClash(site, local),
		deployRamdisk(site),
		engineAnswers(engine),
		imagesThere(site, engine),
	];
}

/** Connects once, whoever asks first. */
function engineOf(site: Site, roots: StateRoots, signal: AbortSignal): () => Promise<Engine> {
	let engine: Promise<Engine> | undefined;
	return () => {
		engine ??= connectSiteEngine(site.bootstrap.spec.engine, sitePaths(site.name, roots), signal);
		return engine;
	};
}
