import { constants, existsSync } from "node:fs";
import { chown, copyFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { IronstrapError } from "../lib/errors.ts";
import type { SitePaths } from "../state/layout.ts";
import { readVersioned } from "../state/versioned.ts";
import type { Step } from "../steps/step.ts";
import { mariadbLoad, sqliteLoad } from "./database-jobs.ts";
import { differingRows, parseRows, type Rows } from "./dumped-rows.ts";
import { databaseContainer, exchangeDirectory, runOneOff } from "./one-off.ts";
import { awaitAll, type StackContext } from "./stack-steps.ts";

/** What a restore leaves beside the dump: there until the dump is in the database. */
export interface PendingDatabase {
	readonly formatVersion: 1;
	readonly rows: Rows;
}

/**
 * Loads the dump of a restored site, once there is a server and before Ironic's tables are looked at. It replaces the
 * whole database, so that a load which was killed is done again from its start; the dump goes when every table has the
 * rows that it had. Codes: `database-load-failed`.
 */
export function loadStep(paths: SitePaths): Step<StackContext> {
	return {
		id: "database:load",
		title: "load the restored database",
		done: async () => !existsSync(paths.pendingDatabase),
		async do(context, tools) {
			const { desired, engine, stack } = context;
			const { service, spec } = databaseContainer(desired);
			await awaitAll(
				service === "mariadb"
					? [{ service, condition: "service_healthy" }]
					: [{ service: "prepare", condition: "service_completed_successfully" }],
				context,
				tools,
			);
			const job = service === "mariadb" ? mariadbLoad(stack.runDirectory) : sqliteLoad(spec);
			const directory = join(paths.scratchDirectory, "load");
			const owner = await exchangeDirectory(desired, directory);
			const dump = join(directory, "database.sql");
			await copyFile(paths.pendingDump, dump, constants.COPYFILE_FICLONE);
			await chown(dump, owner.uid, owner.gid);
			await runOneOff(engine, desired, { service: "load", ...job, failure }, directory, tools.signal);
			const found = parseRows(await readFile(join(directory, "rows"), "utf8"));
			await mustHaveAllRows(paths, found);
			await rm(paths.pendingDatabase);
			await rm(paths.pendingDump, { force: true });
			await rm(paths.scratchDirectory, { recursive: true, force: true });
		},
	};
}

const failure = { code: "database-load-failed", message: "the restored database could not be loaded" };

async function mustHaveAllRows({ pendingDatabase }: SitePaths, found: Rows): Promise<void> {
	const wanted = (await readVersioned<PendingDatabase>(pendingDatabase, 1))?.rows ?? {};
	const different = differingRows(wanted, found);
	if (different.length === 0) return;
	throw new IronstrapError({
		...failure,
		seen: `rows that differ from the backup's: ${different.join("; ")}`,
		fix: "run `ironstrap up` again; if it stays, `ironstrap down --purge` and restore from another backup",
	});
}
