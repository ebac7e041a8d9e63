import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Lock } from "../backup/encryption.ts";
import type { BackupIndex, StateFile } from "../backup/format.ts";
import { prepareTarget, writeBackup } from "../backup/write-backup.ts";
import { IronstrapError } from "../lib/errors.ts";
import { usesSqlite } from "../stack/database.ts";
import { readApplied } from "../state/applied.ts";
import { type SitePaths, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { dumpDatabase, rowsOfDump } from "./database-dump.ts";
import { lookAtMachine, type Machine } from "./machine.ts";
import { renderSite } from "./render-site.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";

export interface BackupOptions extends LifecycleOptions {
	readonly site: string | undefined;
	/** Path of the file, from the site's name and the time. */
	readonly to: (site: string, createdAt: string) => string;
	readonly lock: Lock;
	/** This ironstrap's name and version. */
	readonly writtenBy: string;
}

export interface BackupResult {
	readonly file: string;
	readonly index: BackupIndex;
}

/**
 * Writes everything that a site is to one file while its stack runs: a snapshot of the database, the site as applied, its
 * secrets and certificates, the stored status of its hosts. Nothing of the site changes. Errors: `backup-exists`,
 * `backup-stack-down`, `database-dump-failed`.
 */
export async function backup(options: BackupOptions): Promise<BackupResult> {
	const { lock, roots, signal, to, writtenBy } = options;
	const name = await chooseSite(options.site, roots);
	const paths = sitePaths(name, roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const machine = await lookAtMachine(site, roots, signal);
	const createdAt = new Date().toISOString();
	const file = to(name, createdAt);
	await prepareTarget(file);
	return withSession(name, "backup", options, async (session) => {
		const { desired, stack } = await renderSite(site, machine, session);
		const server = `${desired.name}-${usesSqlite(site) ? "ironic" : "mariadb"}-1`;
		if ((await machine.engine.containerState(server, signal))?.status !== "running") throw stackDown(name);
		const directory = join(paths.scratchDirectory, "dump");
		let index: BackupIndex | undefined;
		const steps: readonly Step<undefined>[] = [
			{
				id: "backup:dump",
				title: "dump Ironic's database",
				async do(_context, tools) {
					await dumpDatabase(machine.engine, stack, desired, directory, tools.signal);
				},
			},
			{
				id: "backup:write",
				title: `write ${file} and read it back`,
				async do(_context, tools) {
					const about = {
						site: name,
						createdAt,
						writtenBy,
						database: {
							kind: site.bootstrap.spec.database,
							rows: await rowsOfDump(desired, directory),
						},
						images: imagesOf(machine),
					} as const;
					const content = {
						index: about,
						state: await stateFiles(paths),
						database: join(directory, "database.sql"),
					};
					index = await writeBackup(content, file, lock, tools.signal);
				},
			},
		];
		try {
			await runSteps(steps, undefined, session.run);
		} finally {
			await rm(paths.scratchDirectory, { recursive: true, force: true });
		}
		if (index === undefined) throw new TypeError("a backup was written without its index");
		return { file, index };
	});
}

function imagesOf({ images }: Machine): BackupIndex["images"] {
	const { ironic, mariadb } = images;
	const about = ({ id, reference, version }: typeof ironic) => ({ reference, id, version });
	return { ironic: about(ironic), ...(mariadb === undefined ? {} : { mariadb: about(mariadb) }) };
}

/** What belongs to this machine, or to this moment, is not the site's. */
function isOfMachine(path: string, paths: SitePaths): boolean {
	const full = join(paths.stateDirectory, path);
	const own = [
		paths.before,
		paths.firewall,
		paths.engine,
		paths.journal,
		paths.pendingDatabase,
		paths.pendingDump,
	];
	return own.includes(full) || full === `${paths.journal}.1`;
}

async function stateFiles(paths: SitePaths): Promise<readonly StateFile[]> {
	const folders = ["", "secrets", "hosts"];
	const files: StateFile[] = [];
	for (const folder of folders) {
		const entries = await readdir(join(paths.stateDirectory, folder), { withFileTypes: true });
		for (const entry of entries.filter((each) => each.isFile()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
			const path = join(folder, entry.name);
			if (isOfMachine(path, paths)) continue;
			files.push({ path, content: await readFile(join(paths.stateDirectory, path), "utf8") });
		}
	}
	return files;
}

function stackDown(site: string): IronstrapError {
	return new IronstrapError({
		code: "backup-stack-down",
		message: `the stack of ${site} is down: its database cannot be asked`,
		fix: "run `ironstrap up` first",
	});
}
