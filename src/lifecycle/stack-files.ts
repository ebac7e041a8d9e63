import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensureDirectory, writeFileAtomic } from "../lib/atomic-file.ts";
import type { ConfigFile, Stack } from "../stack/inputs.ts";

/** Whether every file is there as rendered, and none is left from before. */
export async function stackFilesMatch(stack: Stack): Promise<boolean> {
	const matches = await Promise.all(stack.files.map((file) => isAsRendered(stack, file)));
	return matches.every(Boolean) && (await staleFiles(stack)).length === 0;
}

/** The files whose content on the disk is another one than was rendered; those that are missing are not among them. */
export async function editedFiles({ files, runDirectory }: Stack): Promise<readonly string[]> {
	const found = await Promise.all(
		files.map(async ({ content, path }) => {
			const now = await contentOf(join(runDirectory, path));
			return now === undefined || now === content ? [] : [path];
		}),
	);
	return found.flat();
}

async function contentOf(path: string): Promise<string | undefined> {
	return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
}

/**
 * Writes what differs, each file atomically, and removes what an earlier rendering left. Returns the paths (relative
 * to the run directory) that were removed: a service that watches a folder does not notice a removal by itself.
 */
export async function writeStackFiles(stack: Stack): Promise<readonly string[]> {
	for (const { path, ...options } of stack.directories)
		await ensureDirectory(join(stack.runDirectory, path), options);
	for (const file of stack.files)
		if (!(await isAsRendered(stack, file)))
			await writeFileAtomic(join(stack.runDirectory, file.path), file.content, file);
	const stale = await staleFiles(stack);
	for (const path of stale) await unlink(join(stack.runDirectory, path));
	return stale;
}

async function isAsRendered(stack: Stack, { content, gid, mode, path, uid }: ConfigFile): Promise<boolean> {
	const file = join(stack.runDirectory, path);
	try {
		const found = await stat(file);
		return (
			(found.mode & 0o777) === mode &&
			found.uid === uid &&
			found.gid === gid &&
			(await readFile(file, "utf8")) === content
		);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
		throw error;
	}
}

/** Regular files in the folders of rendered files; sockets live in folders of their own. */
async function staleFiles(stack: Stack): Promise<readonly string[]> {
	const rendered = new Set(stack.files.map(({ path }) => path));
	const folders = new Set(stack.files.map(({ path }) => dirname(path)));
	for (const { path } of stack.directories) if (!path.startsWith("sockets")) folders.add(path);
	const stale: string[] = [];
	for (const folder of folders) {
		const entries = await readdir(join(stack.runDirectory, folder), { withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			const path = join(folder, entry.name);
			if (entry.isFile() && folder !== "." && !rendered.has(path)) stale.push(path);
		}
	}
	return stale;
}
