import { type FileHandle, readFile, stat } from "node:fs/promises";
import { IronstrapError } from "../lib/errors.ts";
import { tryLockFile } from "../lib/file-lock.ts";

export interface SiteLock {
	release(): Promise<void>;
}

/**
 * Takes the lock of a site, or fails at once with `site-busy` and the process that holds it. However the process
 * ends, the kernel frees the lock.
 */
export async function takeLock(path: string, command: string): Promise<SiteLock> {
	const handle = await tryLockFile(path, new AbortController().signal);
	if (handle === undefined)
		throw new IronstrapError({
			code: "site-busy",
			message: "another ironstrap is working on this site",
			seen: (await readFile(path, "utf8").catch(() => "")).trim() || undefined,
			fix: "wait for it to end, or stop it: its work can be continued",
		});
	if (!(await isStillAt(path, handle))) {
		// its last holder removed the site, and the file with it
		await handle.close();
		return takeLock(path, command);
	}
	await handle.truncate(0);
	await handle.write(`ironstrap ${command}, process ${process.pid}, since ${new Date().toISOString()}\n`);
	return { release: () => handle.close() };
}

async function isStillAt(path: string, handle: FileHandle): Promise<boolean> {
	const [held, found] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)]);
	return found !== undefined && found.ino === held.ino && found.dev === held.dev;
}
