import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { syncDirectory } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { BundleFile } from "./bundle.ts";
import { BUNDLE_KIND, type BundleIndex } from "./bundle-index.ts";

export interface BundleTarget {
	readonly directory: string;
	/** A bundle of this site that is there already is replaced; anything else is refused. */
	readonly site: string;
	/** The database dump, written as `database.sql`. */
	readonly dump?: AsyncIterable<Uint8Array> | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a bundle so that its directory is either the old one or the whole new one: beside it first (0700, files
 * 0600, everything synced, SHA256SUMS last), then renamed. What a killed run left beside it is cleared away, because
 * it holds secrets. Fails with `pivot-directory-taken` before writing.
 */
export async function writeBundle(
	files: readonly BundleFile[],
	{ directory, site, dump, signal }: BundleTarget,
): Promise<void> {
	const target = resolve(directory);
	const parent = dirname(target);
	await mkdir(parent, { recursive: true });
	await clearLeftovers(target);
	const there = await whatIsThere(target, site);
	const aside = join(parent, `.${basename(target)}.${randomUUID()}.partial`);
	try {
		await mkdir(aside, { mode: 0o700 });
		const sums: string[] = [];
		for (const { path, content } of files)
			sums.push(sumLine(await writeFile(aside, path, [content], signal), path));
		if (dump !== undefined)
			sums.push(sumLine(await writeFile(aside, "database.sql", dump, signal), "database.sql"));
		await writeFile(aside, "SHA256SUMS", [sums.join("")], signal);
		for (const folder of new Set(files.map(({ path }) => dirname(path))))
			await syncDirectory(join(aside, folder));
		await syncDirectory(aside);
		signal?.throwIfAborted();
		await swap(aside, target, there);
		await syncDirectory(parent);
	} catch (error) {
		await rm(aside, { recursive: true, force: true });
		throw error;
	}
}

/** A run that was killed between its two renames left the old bundle aside: it is put back. */
async function clearLeftovers(target: string): Promise<void> {
	const parent = dirname(target);
	const left = (await readdir(parent)).filter(
		(name) => name.startsWith(`.${basename(target)}.`) && /\.[0-9a-f-]{36}\.partial(\.old)?$/.test(name),
	);
	const old = left.find((name) => name.endsWith(".old"));
	if (old !== undefined && (await readdir(target).catch(() => undefined)) === undefined)
		await rename(join(parent, old), target);
	for (const name of left) await rm(join(parent, name), { recursive: true, force: true });
}

/** rename(2) replaces an empty directory by itself, but not a full one. */
async function swap(aside: string, target: string, there: "nothing" | "bundle"): Promise<void> {
	if (there === "nothing") return rename(aside, target);
	const old = `${aside}.old`;
	await rename(target, old);
	try {
		await rename(aside, target);
	} catch (error) {
		await rename(old, target);
		throw error;
	}
	await rm(old, { recursive: true, force: true });
}

async function whatIsThere(target: string, site: string): Promise<"nothing" | "bundle"> {
	const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return [];
		throw taken(
			target,
			error.code === "ENOTDIR" ? "it is a file" : `it cannot be read: ${error.code ?? error.message}`,
		);
	});
	if (entries.length === 0) return "nothing";
	const index = await readIndex(target);
	if (index === undefined) throw taken(target, `it holds ${entries.slice(0, 3).join(", ")}`);
	if (index.site !== site) throw taken(target, `it is the bundle of site ${index.site}`);
	return "bundle";
}

async function readIndex(directory: string): Promise<BundleIndex | undefined> {
	try {
		const index = JSON.parse(await readFile(join(directory, "bundle.json"), "utf8")) as BundleIndex;
		return index.kind === BUNDLE_KIND ? index : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the SHA-256 of what was written, in hexadecimal. */
async function writeFile(
	root: string,
	path: string,
	chunks: AsyncIterable<Uint8Array> | Iterable<string>,
	signal: AbortSignal | undefined,
): Promise<string> {
	await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o700 });
	const hash = createHash("sha256");
	const handle = await open(join(root, path), "wx", 0o600);
	try {
		for await (const chunk of chunks) {
			signal?.throwIfAborted();
			hash.update(chunk);
			await handle.writeFile(chunk);
		}
		await handle.sync();
	} finally {
		await handle.close();
	}
	return hash.digest("hex");
}

function sumLine(sum: string, path: string): string {
	return `${sum}  ${path}\n`;
}

function taken(directory: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "pivot-directory-taken",
		message: `${directory} is not empty and no bundle of this site`,
		seen,
		fix: "name a directory that does not exist yet",
	});
}
