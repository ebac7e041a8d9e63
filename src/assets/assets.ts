import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { fileURLToPath } from "node:url";

/**
 * A file that ships with ironstrap, as text. Names are relative to the package, with forward slashes:
 * `compose/compose.yaml`, `images/ironic/image.yaml`.
 */
export function readAsset(name: string): string {
	return isSea()
		? new TextDecoder().decode(packedAsset(name))
		: readFileSync(join(packageRoot(), name), "utf8");
}

/** A path on disk for an asset that something else has to open or run; the file must not be changed. */
export function assetPath(name: string): string {
	if (!isSea()) return join(packageRoot(), name);
	extracted ??= mkdtempSync(join(tmpdir(), "ironstrap-assets-"));
	const path = join(extracted, name);
	if (!existsSync(path)) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, packedAsset(name), { mode: 0o755 });
	}
	return path;
}

/** The words that run this very ironstrap, for units and other programs that call it. */
export function ownProgram(): readonly string[] {
	return isSea() ? [process.execPath] : [process.execPath, join(packageRoot(), "bin/ironstrap.js")];
}

/** The type in @types/node 20 says that it may be text; without an encoding it never is. */
const packedAsset = (name: string): Uint8Array => new Uint8Array(getRawAsset(name) as ArrayBuffer);

let extracted: string | undefined;
let root: string | undefined;

/** The folder with package.json: three levels up in dist/, two in the source tree, so it is looked for. */
function packageRoot(): string {
	if (root !== undefined) return root;
	let folder = dirname(fileURLToPath(import.meta.url));
	while (!existsSync(join(folder, "package.json"))) {
		const parent = dirname(folder);
		if (parent === folder) throw new Error(`no package.json above ${fileURLToPath(import.meta.url)}`);
		folder = parent;
	}
	root = folder;
	return root;
}
