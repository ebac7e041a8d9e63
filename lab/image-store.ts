import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockFile } from "../src/lib/file-lock.ts";
import { type CacheOptions, cacheRoot } from "./cache.ts";
import { imageArchive } from "./images.ts";
import { loadIntoStore } from "./podman.ts";

const prefix = "image-store-";

/**
 * A read-only image store with the stack's two images, so that a sandbox's Podman has a gigabyte of images at once
 * instead of after 12 s of loading. Loaded aside and renamed; checked on use by names, sizes and times of its files
 * (their contents were checked when the archives were read).
 */
export async function imageStore(options: CacheOptions = {}): Promise<string> {
	const { root = cacheRoot(), signal = new AbortController().signal } = options;
	const report = options.report ?? ((line: string) => void process.stderr.write(`${line}\n`));
	const archives = [await imageArchive("ironic", options), await imageArchive("mariadb", options)];
	const started = performance.now();
	const key = createHash("sha256")
		.update(archives.map(({ archive }) => archive).join("\n"))
		.digest("hex")
		.slice(0, 16);
	const store = join(root, `${prefix}${key}`);
	await mkdir(root, { recursive: true });
	const lock = await lockFile(join(root, `.${prefix}${key}.lock`), signal, () =>
		report(`cache wait image-store ${key}`),
	);
	try {
		const hit = await isIntact(store);
		if (!hit)
			await load(
				archives.map(({ archive }) => archive),
				store,
				signal,
			);
		const now = new Date();
		await utimes(`${store}.list`, now, now);
		report(
			`cache ${hit ? "hit" : "miss"} image-store ${key} ${((performance.now() - started) / 1000).toFixed(1)}`,
		);
		await keepNewestTwo(root, store);
		return store;
	} finally {
		await lock.close();
	}
}

async function load(archives: readonly string[], store: string, signal: AbortSignal): Promise<void> {
	const aside = `${store}.tmp`;
	for (const path of [`${store}.list`, store, aside]) await rm(path, { recursive: true, force: true });
	for (const archive of archives) await loadIntoStore(archive, aside, signal);
	await rename(aside, store);
	await writeFile(`${store}.list`, await listing(store));
}

async function isIntact(store: string): Promise<boolean> {
	if (!existsSync(store) || !existsSync(`${store}.list`)) return false;
	return (await readFile(`${store}.list`, "utf8")) === (await listing(store));
}

/** A hash over the tree's names, kinds and sizes; Podman writes its lock files on every use, so those are left out. */
async function listing(store: string): Promise<string> {
	const hash = createHash("sha256");
	const entries = await readdir(store, { recursive: true, withFileTypes: true });
	const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
	for (const path of paths) {
		if (/\.(lock|lck)$/.test(path)) continue;
		const { mode, size } = await lstat(path);
		const isFolder = (mode & 0o170000) === 0o040000;
		hash.update(`${path.slice(store.length)} ${mode} ${isFolder ? 0 : size}\n`);
	}
	return hash.digest("hex");
}

async function keepNewestTwo(root: string, current: string): Promise<void> {
	const lists = (await readdir(root)).filter((name) => name.startsWith(prefix) && name.endsWith(".list"));
	const dated = await Promise.all(
		lists.map(async (name) => ({ path: join(root, name), time: (await lstat(join(root, name))).mtimeMs })),
	);
	const old = dated.filter(({ path }) => path !== `${current}.list`).sort((a, b) => b.time - a.time);
	for (const { path } of old.slice(1)) {
		await rm(path.slice(0, -".list".length), { recursive: true, force: true });
		await rm(path, { force: true });
	}
}
