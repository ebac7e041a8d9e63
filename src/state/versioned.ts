import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";

/** Every state file says which format it has, so that an older ironstrap never misreads a newer state. */
interface Versioned {
	readonly formatVersion: number;
}

/**
 * Reads a JSON state file; `undefined` if there is none. Fails with `state-too-new` when the file was written by a
 * newer ironstrap, and with `state-damaged` when it is not what was written.
 */
export async function readVersioned<T extends Versioned>(
	path: string,
	known: T["formatVersion"],
): Promise<T | undefined> {
	let text: string;
	try {
		text = await readFile(path, "utf8");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
	const value = parse(path, text);
	if (value.formatVersion > known)
		throw new IronstrapError({
			code: "state-too-new",
			message: `${path} was written by a newer ironstrap`,
			seen: `format version ${value.formatVersion}, this ironstrap knows ${known}`,
			fix: "use the ironstrap that wrote it, or a later one",
		});
	return value as T;
}

/** Replaces a JSON state file atomically, readable by root alone. */
export async function writeVersioned(path: string, value: Versioned): Promise<void> {
	await writeFileAtomic(path, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
}

function parse(path: string, text: string): Versioned {
	try {
		const value: unknown = JSON.parse(text);
		if (
			typeof value === "object" &&
			value !== null &&
			"formatVersion" in value &&
			typeof value.formatVersion === "number"
		)
			return value as Versioned;
	} catch {
		// told below, together with valid JSON of the wrong shape
	}
	throw new IronstrapError({
		code: "state-damaged",
		message: `${path} is not a state file of ironstrap`,
		fix: "restore it from a backup, or remove the site with `ironstrap down --purge` and start again",
	});
}
