import type { Site } from "../resources/site.ts";
import type { HostStore, StoredHost } from "../state/host-store.ts";
import { isDetached, isPaused } from "./annotations.ts";

/** What is to be said about hosts that nothing, or not what is declared, will be done for. */
export async function remarks(site: Site, store: HostStore): Promise<readonly string[]> {
	const gone = undeclared(site, await store.list()).map(
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

/** Hosts that are stored but not declared. */
export function undeclared(site: Site, stored: readonly StoredHost[]): readonly StoredHost[] {
	const declared = new Set(site.hosts.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
	return stored.filter(({ name, namespace }) => !declared.has(`${namespace}/${name}`));
}
