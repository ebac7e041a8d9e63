import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { IronstrapError } from "./errors.ts";

/**
 * Bytes that root can still write below a path, which need not exist yet, and bytes that there are in all; `at` is the
 * folder that exists.
 */
export function freeSpace(path: string): {
	readonly at: string;
	readonly free: number;
	readonly total: number;
} {
	let at = path;
	while (!existsSync(at)) at = dirname(at);
	const { bavail, blocks, bsize } = statfsSync(at);
	return { at, free: bavail * bsize, total: blocks * bsize };
}

/** `130 MiB`, `2.5 GiB`. */
export function formatBytes(bytes: number): string {
	const mebibytes = bytes / 1024 ** 2;
	if (mebibytes >= 1024) return `${(mebibytes / 1024).toFixed(1)} GiB`;
	return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}

/** Turns the kernel's "no space left" into words; any other error is returned as it is. */
export function spaceFault(path: string, error: unknown): unknown {
	const { code } = error as NodeJS.ErrnoException;
	if (code !== "ENOSPC" && code !== "EDQUOT") return error;
	const { free, total } = freeSpace(path);
	return new IronstrapError({
		code: "disk-full",
		message: `there is no space left for ${path}`,
		seen: `${code}; ${formatBytes(free)} free of ${formatBytes(total)}`,
		fix: `make room there (\`df -h ${dirname(path)}\`; \`df -i\` for the number of files), then run the same command again: it continues`,
		cause: error,
	});
}
