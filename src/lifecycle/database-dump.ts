import { createReadStream } from "node:fs";
import { chmod, chown, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { DesiredProject } from "../converge/desired.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stack } from "../stack/inputs.ts";
import { mariadbDump, sqliteDump } from "./database-jobs.ts";
import { countDumpedRows, parseRows, type Rows } from "./dumped-rows.ts";
import { databaseContainer, exchangeDirectory, runOneOff } from "./one-off.ts";

/**
 * Dumps Ironic's database while it runs, consistently, to a file readable by root alone; returns its path. Code:
 * `database-dump-failed`.
 */
export async function dumpDatabase(
	engine: Engine,
	stack: Stack,
	desired: DesiredProject,
	directory: string,
	signal: AbortSignal,
): Promise<string> {
	const { service, spec } = databaseContainer(desired);
	const job = service === "mariadb" ? mariadbDump(stack.runDirectory) : sqliteDump(spec);
	const failure = { code: "database-dump-failed", message: "Ironic's database could not be dumped" };
	await exchangeDirectory(desired, directory);
	await runOneOff(engine, desired, { service: "dump", ...job, failure }, directory, signal);
	const file = join(directory, "database.sql");
	await chown(file, 0, 0);
	await chmod(file, 0o600);
	return file;
}

/** The rows of each table in a dump that `dumpDatabase` made. */
export async function rowsOfDump(desired: DesiredProject, directory: string): Promise<Rows> {
	if (databaseContainer(desired).service !== "mariadb")
		return parseRows(await readFile(join(directory, "rows"), "utf8"));
	const input = createReadStream(join(directory, "database.sql"), { highWaterMark: 1 << 20 });
	return countDumpedRows(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }));
}
