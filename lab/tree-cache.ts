import { createHash } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockFile } from "../src/lib/file-lock.ts";
import { type CachedArtefact, type CacheOptions, cacheRoot, type Recipe, recipeKey } from "./cache.ts";

/**
 * Like {@link cached}, for a folder tree with owners, modes and links that is used where it lies: a root file system,
 * an engine's store. Built aside and renamed, under a lock of its key; checked on use by names, modes and sizes of
 * everything in it, because its contents are too many to be read each time.
 */
export async function cachedTree(recipe: Recipe, options: CacheOptions = {}): Promise<CachedArtefact> {
	const { root = cacheRoot(), signal = new AbortController().signal } = options;
	const report = options.report ?? ((line: string) => void process.stderr.write(`${line}\n`));
	const started = performance.now();
	const key = recipeKey(recipe.inputs);
	const folder = join(root, `${recipe.name}-${key}`);
	await mkdir(root, { recursive: true });
	const lock = await lockFile(join(root, `.${recipe.name}-${key}.lock`), signal, () =>
		report(`cache wait ${recipe.name} ${key}`),
	);
	try {
		const hit = await isIntact(folder);
		if (!hit) await build(recipe, folder, signal);
		const now = new Date();
		await utimes(`${folder}.list`, now, now);
		report(
			`cache ${hit ? "hit" : "miss"} ${recipe.name} ${key} ${((performance.now() - started) / 1000).toFixed(1)}`,
		);
		await keepNewestTwo(root, recipe.name, folder);
		return { folder, key, hit };
	} finally {
		await lock.close();
	}
}

async function build(recipe: Recipe, folder: string, signal: AbortSignal): Promise<void> {
	const aside = `${folder}.tmp`;
	for (const path of [`${folder}.list`, folder, aside]) await rm(path, { recursive: true, force: true });
	await mkdir(aside);
	await recipe.build(aside, signal);
	signal.throwIfAborted();
	await rename(aside, folder);
	await writeFile(`${folder}.list`, await listing(folder));
}

async function isIntact(folder: string): Promise<boolean> {
	if (!existsSync(folder) || !existsSync(`${folder}.list`)) return false;
	return (await readFile(`${folder}.list`, "utf8")) === (await listing(folder));
}

/** A hash over the tree's names, kinds and sizes; engines write their lock files on every use, so those are left out. */
async function listing(folder: string): Promise<string> {
	const hash = createHash("sha256");
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
	for (const path of paths) {
		if (/\.(lock|lck)$/.test(path)) continue;
		const { mode, size } = lstatSync(path);
		const isFolder = (mode & 0o170000) === 0o040000;
		hash.update(`${path.slice(folder.length)} ${mode} ${isFolder ? 0 : size}\n`);
	}
	return hash.digest("hex");
}

async function keepNewestTwo(root: string, name: string, current: string): Promise<void> {
	const pattern = new RegExp(`^${name}-[0-9a-f]{16}\\.list$`);
	const lists = (await readdir(root)).filter((file) => pattern.test(file));
	const dated = await Promise.all(
		lists.map(async (file) => ({ path: join(root, file), time: (await lstat(join(root, file))).mtimeMs })),
	);
	const old = dated.filter(({ path }) => path !== `${current}.list`).sort((a, b) => b.time - a.time);
	for (const { path } of old.slice(1)) {
		await rm(path.slice(0, -".list".length), { recursive: true, force: true });
		await rm(path, { force: true });
	}
}
