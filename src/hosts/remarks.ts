import type { Site } from "../resources/site.ts";
import type { HostStore } from "../state/host-store.ts";
import { isDetached, isPaused } from "./annotations.ts";
import { candidates } from "./choose.ts";

/** What is to be said about hosts that nothing, or not what is declared, will be done for. */
export async function remarks(site: Site, store: HostStore): Promise<readonly string[]> {
	const undeclared = candidates(site, await store.list()).filter(({ host }) => host === undefined);
	const gone = undeclared.map(
		({ name, namespace }) =>
			`${namespace}/${name} is not in the manifests any more and is left as it is; \`ironstrap hosts remove ${namespace}/${name}\` takes it out of Ironic`,
	);
	const paused = site.hosts
		.filter(isPaused)
		.map(({ metadata }) => `${metadata.namespace}/${metadata.name} is paused: nothing is done for it`);
	const detached = site.hosts
		.filter((host) => isDetached(host) && !isPaused(host))
		.map(({ metadata }) => `${metadata.namespace}/${metadata.name} is detached from Ironic`);
	return [...gone, ...paused, ...detached];
}
