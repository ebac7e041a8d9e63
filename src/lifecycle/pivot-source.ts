import { portsFree } from "../checks/ports-free.ts";
import { label } from "../converge/labels.ts";
import type { ObservedProject } from "../converge/observed.ts";
import type { Engine } from "../engine/engine.ts";
import { createIronicClient, type IronicClient } from "../ironic/client.ts";
import { localAddresses } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import { mediaAddresses } from "../stack/media.ts";
import { projectName } from "../stack/names.ts";
import { apiAccess } from "../state/api-access.ts";
import { readApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { openPivotRecord, type PivotRecordStore } from "../state/pivot-record.ts";
import type { Step } from "../steps/step.ts";
import { wantedPorts } from "./check-machine.ts";
import { ensureCredentials, type StackCredentials } from "./credentials.ts";
import { leaseFile } from "./lease-file.ts";
import { provisioningOf } from "./machine.ts";
import { chooseSite, type LifecycleOptions, type Session, withSession } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";
import { stackRemoval } from "./stack-removal.ts";

/** A site that is, or was, up on this machine, and all that a hand-over of it deals with here. */
export interface PivotSite {
	readonly site: Site;
	readonly session: Session;
	readonly record: PivotRecordStore;
	/** The full API; answers only while the stack runs. */
	readonly ironic: IronicClient;
	credentials(): Promise<Pick<StackCredentials, "api" | "tls">>;
	/** The lease file of the site's DHCP server; empty without one. */
	leases(signal: AbortSignal): Promise<string>;
	removal(signal: AbortSignal): Promise<readonly Step<unknown>[]>;
	look(signal: AbortSignal): Promise<{
		readonly found: readonly string[];
		readonly proof: { readonly containersGone: readonly string[]; readonly portsClosed: readonly string[] };
	}>;
}

/** Holds the site for as long as a hand-over works on it. Errors: `site-busy`, `site-not-up`, those of the engine. */
export async function withPivotSite<T>(
	options: LifecycleOptions & { readonly site: string | undefined },
	command: string,
	work: (site: PivotSite) => Promise<T>,
): Promise<T> {
	const name = await chooseSite(options.site, options.roots);
	const paths = sitePaths(name, options.roots);
	return withSession(name, command, options, async (session) => {
		const { secrets } = session;
		const site = await readApplied(paths, secrets);
		const engine = await connectSiteEngine(site.bootstrap.spec.engine, paths, options.signal);
		const access = await apiAccess(secrets, site.ironic.spec.networking.apiPort);
		const ironic = createIronicClient({ ...access, signal: options.signal });
		try {
			return await work({
				site,
				session,
				ironic,
				record: openPivotRecord(paths.pivot),
				credentials: async () =>
					ensureCredentials(site, secrets, await certificateAddresses(site, options.signal), new Date()),
				leases: (signal) => leaseFile(engine, name, signal),
				removal: async (signal) =>
					(await stackRemoval({ engine, site: name, paths, applied: site, secrets, volumes: false }, signal))
						.steps,
				look: (signal) => lookForStack(engine, site, signal),
			});
		} finally {
			await ironic.close();
		}
	});
}

async function certificateAddresses(site: Site, signal: AbortSignal): Promise<readonly string[]> {
	const provisioning = await provisioningOf(site, localAddresses(), signal);
	return [provisioning.address, ...mediaAddresses(provisioning), ...site.bootstrap.spec.api.listen];
}

const NOTHING: ObservedProject = { networks: [], volumes: [], containers: [] };

/** Containers in whatever state, because a stopped one can be started; and whoever listens on one of the ports. */
async function lookForStack(engine: Engine, site: Site, signal: AbortSignal) {
	const { containers } = await engine.observe(projectName(site.name), signal);
	const local = localAddresses();
	const provisioning = await provisioningOf(site, local, signal);
	const ports = wantedPorts(site, { local, provisioning }, NOTHING);
	const taken = await portsFree(ports).look(signal);
	return {
		found: [
			...containers.map(({ name, state }) => `container ${name} (${state})`),
			...taken.map(({ message, seen }) => `${message}${seen === undefined ? "" : ` (${seen})`}`),
		],
		proof: {
			containersGone: [`label ${label.project}=${projectName(site.name)}`],
			portsClosed: ports.map(({ address, port, protocol }) => `${protocol} ${address}:${port}`),
		},
	};
}
