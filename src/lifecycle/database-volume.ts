import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../engine/engine.ts";
import { serverRecordFile } from "../stack/mariadb-conf.ts";

/** What the volume of the database says about the server that used it last. */
export interface ServerRecord {
	/** Of MariaDB, e.g. `11.8.9`. */
	readonly version: string;
	/** Whether that server ended with a clean shutdown; false while it runs. */
	readonly clean: boolean;
}

/** `undefined` where there is no volume, or one that no server has used. */
export async function readServerRecord(
	engine: Engine,
	project: string,
	signal: AbortSignal,
): Promise<ServerRecord | undefined> {
	const directory = await engine.volumeDirectory(`${project}_mariadb-data`, signal);
	if (directory === undefined) return undefined;
	const text = await readFile(join(directory, serverRecordFile), "utf8").catch(
		(error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") return "";
			throw error;
		},
	);
	return parseServerRecord(text);
}

/** `11.8.9 clean`, as the server's start script writes it. */
export function parseServerRecord(text: string): ServerRecord | undefined {
	const [, version, end] = /^(\d+(?:\.\d+)+) (clean|unclean)\n$/.exec(text) ?? [];
	return version === undefined ? undefined : { version, clean: end === "clean" };
}
