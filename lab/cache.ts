import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { lockFile, tryLockFile } from "../src/lib/file-lock.ts";

/** How to make something that takes long, and everything that its content depends on. */
export interface Recipe {
	/** Kebab-case, e.g. `ramdisk`. */
	readonly name: string;
	/** Scripts, parameters, package versions: equal inputs give an equal artefact. */
	readonly inputs: readonly string[];
	/** Fills an empty folder with regular files. */
	build(folder: string, signal: AbortSignal): Promise<void>;
}

export interface CachedArtefact {
	readonly folder: string;
	readonly key: string;
	readonly hit: boolean;
}

export interface CacheOptions {
	readonly root?: string | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Gets `cache hit|miss ARTEFACT KEY SECONDS`; default: standard error. */
	readonly report?: ((line: string) => void) | undefined;
}

/** Where the lab keeps what it has built. */
export const cacheRoot = (): string => process.env.IRONSTRAP_LAB_CACHE ?? "/var/cache/ironstrap-lab";

/**
 * The artefact of a recipe, from the cache if it is there and intact, or else built. It is built aside and renamed,
 * under a lock of its key, so neither a killed build nor two builders at once can spoil an entry.
 */
export async function cached(recipe: Recipe, options: CacheOptions = {}): Promise<CachedArtefact> {
	const { root = cacheRoot(), signal = new AbortController().signal, report = reportOnStderr } = options;
	const started = performance.now();
	const key = recipeKey(recipe.inputs);
	const folder = join(root, `${recipe.name}-${key}`);
	await mkdir(root, { recursive: true });
	const lock = await lockFile(lockPath(root, recipe.name, key), signal, () =>
		report(`cache wait ${recipe.name} ${key}: another process builds it`),
	);
	try {
		const hit = await isIntact(folder);
		if (!hit) await build(recipe, root, key, signal);
		const now = new Date();
		await utimes(folder, now, now); // "newest" below means the last used
		report(
			`cache ${hit ? "hit" : "miss"} ${recipe.name} ${key} ${((performance.now() - started) / 1000).toFixed(1)}`,
		);
		await prune(root, recipe.name, signal);
		return { folder, key, hit };
	} finally {
		await lock.close();
	}
}

/** 16 hexadecimal digits over all inputs; their order and borders count. */
export function recipeKey(inputs: readonly string[]): string {
	return createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16);
}

const keptKeys = 2;

async function build(recipe: Recipe, root: string, key: string, signal: AbortSignal): Promise<void> {
	const draft = join(root, `.tmp-${recipe.name}-${key}`);
	const folder = join(root, `${recipe.name}-${key}`);
	await remove(draft); // left by a build that was killed
	await mkdir(draft);
	try {
		await recipe.build(draft, signal);
		signal.throwIfAborted();
		const manifest = JSON.stringify({ format: 1, files: await digests(draft) }, null, "\t");
		await writeFile(join(draft, "manifest.json"), `${manifest}\n`);
		await remove(folder); // it is there if it was found damaged
		await rename(draft, folder);
	} finally {
		await remove(draft);
	}
}

async function isIntact(folder: string): Promise<boolean> {
	const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => undefined);
	if (text === undefined) return false;
	const { format, files } = JSON.parse(text) as { format: number; files: Record<string, string> };
	const found = await digests(folder);
	return format === 1 && JSON.stringify(found) === JSON.stringify(files);
}

/** sha256 of every file below a folder except the manifest itself, by relative path, sorted. */
async function digests(folder: string): Promise<Record<string, string>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
		.filter((name) => name !== "manifest.json")
		.sort();
	const found: Record<string, string> = {};
	for (const name of files) {
		const hash = createHash("sha256");
		await pipeline(createReadStream(join(folder, name), { highWaterMark: 1 << 20 }), hash);
		found[name] = hash.digest("hex");
	}
	return found;
}

/** Removes all but the last used entries of an artefact; what another process holds the lock of stays. */
async function prune(root: string, name: string, signal: AbortSignal): Promise<void> {
	const pattern = new RegExp(`^(?:\\.tmp-)?${name}-([0-9a-f]{16})$`);
	const entries = (await readdir(root)).filter((entry) => pattern.test(entry));
	const times = new Map<string, number>();
	for (const entry of entries)
		times.set(entry, (await stat(join(root, entry)).catch(() => undefined))?.mtimeMs ?? 0);
	const finished = entries.filter((entry) => !entry.startsWith("."));
	const kept = new Set(finished.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0)).slice(0, keptKeys));
	for (const entry of entries.filter((entry) => !kept.has(entry))) {
		const path = lockPath(root, name, pattern.exec(entry)?.[1] ?? "");
		const lock = await tryLockFile(path, signal);
		if (lock === undefined) continue;
		await remove(join(root, entry));
		await lock.close();
	}
}

const lockPath = (root: string, name: string, key: string): string => join(root, `.lock-${name}-${key}`);

const remove = (path: string): Promise<void> =>
	rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

const reportOnStderr = (line: string): void => void process.stderr.write(`${line}\n`);
