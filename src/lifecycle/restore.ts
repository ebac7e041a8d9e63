import { createWriteStream, existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { Key } from "../backup/encryption.ts";
import { type BackupIndex, damaged, type StateFile } from "../backup/format.ts";
import { readBackup } from "../backup/read-backup.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Finding } from "../site/finding.ts";
import { projectName } from "../stack/names.ts";
import { engineOf, findApplied } from "../state/applied.ts";
import { type SitePaths, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { writeVersioned } from "../state/versioned.ts";
import { runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { findHere } from "./check-here.ts";
import type { PendingDatabase } from "./database-load.ts";
import { type LifecycleOptions, withSession } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";

export interface RestoreResult {
	readonly index: BackupIndex;
	/** What this machine lacks or has otherwise: the site's manifests, or the machine, must change before `up`. */
	readonly here: readonly Finding[];
}

/**
 * Puts a site's state back on a machine that has nothing of it. The site exists from the moment at which its manifests
 * are in place, the last thing that is written; before that, the same command begins anew. The next `up` loads the
 * database. No server and no BMC is asked for anything. Errors: `restore-site-exists`, and those of `readBackup`.
 */
export async function restore(file: string, key: Key, options: LifecycleOptions): Promise<RestoreResult> {
	const { roots, signal } = options;
	// before anything is made: a backup that is not whole must leave nothing behind
	const { index, state } = await readBackup(file, key, signal);
	const paths = sitePaths(index.site, roots);
	await refuseExisting(index.site, paths, signal);
	const here = await withSession(index.site, "restore", options, async ({ run }) => {
		await refuseExisting(index.site, paths, signal);
		const [manifest, rest] = split(state, file);
		const steps: readonly Step<undefined>[] = [
			{ id: "restore:clear", title: "clear what an earlier attempt left", do: () => clear(paths) },
			{
				id: "restore:database",
				title: "keep the dump of the database for the next up",
				do: (_context, tools) => keepDump(file, key, index, paths, tools.signal),
			},
			{
				id: "restore:state",
				title: "put secrets, certificates and the hosts' status in place",
				async do() {
					for (const each of rest) await place(each, paths);
				},
			},
			{ id: "restore:site", title: `put site ${index.site} in place`, do: () => place(manifest, paths) },
		];
		await runSteps(steps, undefined, run);
		const site = await findApplied(paths, openSecretStore(paths.secretsDirectory));
		return site === undefined ? [] : findHere(site, roots, signal);
	});
	return { index, here };
}

function split(state: readonly StateFile[], file: string): readonly [StateFile, readonly StateFile[]] {
	const manifest = state.find(({ path }) => path === "site.yaml");
	if (manifest === undefined) throw damaged(file, "it has no site.yaml");
	return [manifest, state.filter((each) => each !== manifest)];
}

async function refuseExisting(site: string, paths: SitePaths, signal: AbortSignal): Promise<void> {
	const engine = await connectSiteEngine(engineOf(undefined), paths, signal);
	const { containers, volumes } = await engine.observe(projectName(site), signal);
	const there = [
		...(existsSync(paths.applied) ? [paths.applied] : []),
		...[...containers, ...volumes].map(({ name }) => name),
	];
	if (there.length === 0) return;
	throw new IronstrapError({
		code: "restore-site-exists",
		message: `this machine has something of site ${site} already: nothing was restored`,
		seen: there.join(", "),
		fix: `restore on another machine; or, if nothing of it is needed, \`ironstrap down --purge --site ${site}\` first`,
	});
}

/** An attempt that was killed may have been with another backup. */
async function clear(paths: SitePaths): Promise<void> {
	for (const folder of [paths.stateDirectory, paths.secretsDirectory, paths.hostsDirectory])
		for (const entry of await readdir(folder, { withFileTypes: true }))
			if (entry.isFile() && join(folder, entry.name) !== paths.journal) await rm(join(folder, entry.name));
}

/** Read a second time, checked again: the dump may be larger than the memory. */
async function keepDump(
	file: string,
	key: Key,
	{ database }: BackupIndex,
	{ pendingDatabase, pendingDump }: SitePaths,
	signal: AbortSignal,
): Promise<void> {
	const dump = createWriteStream(pendingDump, { mode: 0o600, flush: true });
	await readBackup(file, key, signal, dump);
	dump.end();
	await finished(dump);
	await writeVersioned(pendingDatabase, { formatVersion: 1, rows: database.rows } as PendingDatabase);
}

async function place({ content, path }: StateFile, { stateDirectory }: SitePaths): Promise<void> {
	await writeFileAtomic(join(stateDirectory, path), content, { mode: 0o600 });
}
