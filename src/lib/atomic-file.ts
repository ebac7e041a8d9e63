import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { spaceFault } from "./free-space.ts";

export interface WriteOptions {
	/** Permission bits of the finished file, e.g. 0o600. */
	readonly mode: number;
	readonly uid?: number | undefined;
	readonly gid?: number | undefined;
}

/**
 * Replaces a file as a whole: a reader sees the old content or the new, also after a power cut.
 * The temporary file lies beside the target, so that the rename stays within one file system. A full disk is the
 * error `disk-full`.
 */
export async function writeFileAtomic(
	path: string,
	content: string | Uint8Array,
	{ mode, uid, gid }: WriteOptions,
): Promise<void> {
	const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
	const handle = await open(temporary, "wx", mode).catch((error: unknown) => {
		throw spaceFault(path, error);
	});
	try {
		await handle.writeFile(content);
		await handle.chmod(mode); // the umask has cut the mode given to open()
		if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
		await handle.sync();
		await handle.close();
		await rename(temporary, path);
	} catch (error) {
		await handle.close().catch(() => undefined);
		await unlink(temporary).catch(() => undefined);
		throw spaceFault(path, error);
	}
	await syncDirectory(dirname(path));
}

/**
 * Removes the half-written files that a killed process left in a directory and the directories below it. Only for
 * whoever knows that nobody is writing there now. A directory that does not exist has none.
 */
export async function sweepTemporaries(directory: string): Promise<void> {
	const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return [];
		throw error;
	});
	for (const entry of entries) {
		const path = join(directory, entry.name);
		if (entry.isDirectory()) await sweepTemporaries(path);
		else if (entry.isFile() && temporaryName.test(entry.name)) await unlink(path);
	}
}

const temporaryName = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Creates a directory (and its parents) with exactly this mode and owner, or corrects an existing one. */
export async function ensureDirectory(path: string, { mode, uid, gid }: WriteOptions): Promise<void> {
	await mkdir(path, { recursive: true, mode }).catch((error: unknown) => {
		throw spaceFault(path, error);
	});
	const handle = await open(path, "r");
	try {
		await handle.chmod(mode);
		if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
	} finally {
		await handle.close();
	}
}

/** Makes a rename in this directory durable (fsync of the directory itself). */
export async function syncDirectory(path: string): Promise<void> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(path, "r");
		await handle.sync();
	} finally {
		await handle?.close();
	}
}
