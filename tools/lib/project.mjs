import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout that these tools belong to, without a slash at the end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Folders that hold TypeScript; tsconfig.json compiles each to `dist/`. */
export const sourceFolders = ["src", "test", "lab", "bench"];

/** The files below `folder` (relative to the checkout) whose name ends in `suffix`, sorted; none if it is missing. */
export function filesBelow(folder, suffix) {
	let entries;
	try {
		entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
	} catch (error) {
		if (error.code === "ENOENT") return [];
		throw error;
	}
	const prefix = `${root}/`;
	return entries
		.filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
		.map((entry) => join(entry.parentPath, entry.name).slice(prefix.length))
		.sort();
}
