import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownerTag } from "./leftovers.mjs";

/**
 * From here on this process and its children have a temporary folder of their own (TMPDIR), which goes when it ends: a
 * test need not remove what it leaves there. What a killed process left is removed by `sweep`. Others may look into it:
 * programs that change their user must find their files. The name leaves room for a unix socket's path (108 bytes).
 */
export function ownTemporaryFolder() {
	const folder = join(tmpdir(), ownerTag());
	mkdirSync(folder, { mode: 0o755, recursive: true });
	process.env.TMPDIR = folder;
	process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
