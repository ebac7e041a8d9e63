import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Kernel settings by their path below `/proc/sys`, where names of interfaces may have dots. */
export type Switches = Readonly<Record<string, string>>;

const root = "/proc/sys";

/** What they are now; those that this kernel does not have are left out. */
export function readSwitches(paths: readonly string[]): Switches {
	const known = paths.flatMap((path) => {
		const value = readSwitch(path);
		return value === undefined ? [] : [[path, value] as const];
	});
	return Object.fromEntries(known);
}

/** Throws what the kernel says, e.g. on a read-only `/proc/sys`. */
export function writeSwitch(path: string, value: string): void {
	writeFileSync(join(root, path), value);
}

/** The bridges of this machine. */
export function isBridge(link: string): boolean {
	return existsSync(`/sys/class/net/${link}/bridge`);
}

function readSwitch(path: string): string | undefined {
	try {
		return readFileSync(join(root, path), "utf8").trim();
	} catch {
		return undefined;
	}
}
