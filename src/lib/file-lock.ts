import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";

/**
 * Waits until this process alone may do what the lock file stands for. The lock is `flock` on a descriptor that stays
 * open here, so the kernel frees it however this process ends; `flock(1)` takes it on the open file description that
 * it inherits, because Node has no such call.
 *
 * @param onWait called once if another process holds the lock
 * @returns the handle; closing it releases the lock
 */
export async function lockFile(path: string, signal: AbortSignal, onWait: () => void): Promise<FileHandle> {
	const handle = await open(path, "a", 0o644);
	try {
		if (await flock(["--nonblock"], handle, signal)) return handle;
		onWait();
		if (await flock([], handle, signal)) return handle;
		throw new Error(`flock cannot lock ${path}`);
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** Takes the lock if it is free. */
export async function tryLockFile(path: string, signal: AbortSignal): Promise<FileHandle | undefined> {
	const handle = await open(path, "a", 0o644);
	if (await flock(["--nonblock"], handle, signal)) return handle;
	await handle.close();
	return undefined;
}

async function flock(options: readonly string[], handle: FileHandle, signal: AbortSignal): Promise<boolean> {
	const child = spawn("setpriv", ["--pdeathsig", "KILL", "flock", ...options, "3"], {
		stdio: ["ignore", "ignore", "inherit", handle.fd],
		signal,
	});
	const [code] = (await once(child, "exit")) as [number | null];
	return code === 0;
}
