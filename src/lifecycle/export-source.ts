import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createIronicClient, type IronicClient } from "../ironic/client.ts";
import type { Site } from "../resources/site.ts";
import { apiAccess } from "../state/api-access.ts";
import { readApplied } from "../state/applied.ts";
import type { HostStore } from "../state/host-store.ts";
import { sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import type { StackCredentials } from "./credentials.ts";
import { dumpDatabase } from "./database-dump.ts";
import { lookAtMachine } from "./machine.ts";
import { renderSite } from "./render-site.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";

/** What an export reads from: the applied site, its running Ironic, what is stored of the hosts, its credentials. */
export interface ExportSource {
	readonly site: Site;
	readonly ironic: IronicClient;
	readonly store: HostStore;
	readonly credentials: Pick<StackCredentials, "api" | "tls">;
	/** A dump of Ironic's database. */
	readonly dump: AsyncIterable<Uint8Array>;
}

/** Holds the site for as long as an export reads from it, so that nothing changes meanwhile. */
export async function withExportSource(
	options: LifecycleOptions & { readonly site: string | undefined },
	work: (source: ExportSource) => Promise<void>,
): Promise<void> {
	const name = await chooseSite(options.site, options.roots);
	const paths = sitePaths(name, options.roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const machine = await lookAtMachine(site, options.roots, options.signal);
	await withSession(name, "pivot --export", options, async (session) => {
		const { credentials, desired, stack } = await renderSite(site, machine, session);
		const access = await apiAccess(session.secrets, site.ironic.spec.networking.apiPort);
		const ironic = createIronicClient({ ...access, signal: options.signal });
		const directory = join(paths.scratchDirectory, "dump");
		const file = join(directory, "database.sql");
		const dumping: Step<undefined> = {
			id: "export:dump",
			title: "dump Ironic's database",
			do: async (_context, { signal }) => {
				await dumpDatabase(machine.engine, stack, desired, directory, signal);
			},
		};
		const writing: Step<undefined> = {
			id: "export:write",
			title: "write the bundle",
			do: () => work({ site, ironic, store: session.hosts, credentials, dump: createReadStream(file) }),
		};
		try {
			await runSteps([dumping, writing], undefined, session.run);
		} finally {
			await ironic.close();
			await rm(paths.scratchDirectory, { recursive: true, force: true });
		}
	});
}
