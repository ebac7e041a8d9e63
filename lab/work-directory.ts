import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownerIsGone, ownerTag } from "./owner.ts";

// Not /tmp: disks grow to gigabytes, and /tmp is often memory.
const PARENT = "/var/tmp";
const PREFIX = "ironstrap-lab-";

/** Where a lab keeps disks, consoles and logs. */
export interface WorkDirectory {
	readonly path: string;
	/** Removes it, unless the caller chose it. */
	remove(): void;
}

/** The caller's directory, or a fresh one; removes those that labs of dead processes left. */
export function openWorkDirectory(chosen: string | undefined): WorkDirectory {
	sweep();
	if (chosen !== undefined) {
		mkdirSync(chosen, { recursive: true });
		return { path: chosen, remove: () => undefined };
	}
	const path = mkdtempSync(join(PARENT, `${PREFIX}${ownerTag()}-`));
	return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function sweep(): void {
	for (const name of readdirSync(PARENT)) {
		if (name.startsWith(PREFIX) && ownerIsGone(name.slice(PREFIX.length))) {
			rmSync(join(PARENT, name), { recursive: true, force: true });
		}
	}
}
