import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** `../shared` beside the repository: real CRDs and other people's manifests. The tests that need it fail without. */
const ROOT = fileURLToPath(new URL("../../../../shared/", import.meta.url));

export function sharedPath(...parts: string[]): string {
	const path = join(ROOT, ...parts);
	if (!existsSync(path))
		throw new Error(`${path} is missing: this test needs the folder \`shared\` beside the repository`);
	return path;
}

export function readShared(...parts: string[]): string {
	return readFileSync(sharedPath(...parts), "utf8");
}

export function listShared(...parts: string[]): string[] {
	return readdirSync(sharedPath(...parts)).sort();
}
