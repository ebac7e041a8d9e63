import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { lock } from "./lock.mjs";

const run = promisify(execFile);

/** What is built or fetched once and used by many runs; outside the checkout. */
export const cacheDirectory = process.env.IRONSTRAP_LAB_CACHE || "/var/cache/ironstrap-lab";

/**
 * A Node binary of this major version: `{ path, version, cached }`. It comes from the npm package `node-linux-ARCH`
 * (a plain archive without scripts) and is kept in the cache, where its checksum is verified on each use.
 */
export async function nodeBinary(major) {
	await mkdir(cacheDirectory, { recursive: true });
	const release = lock(cacheDirectory);
	try {
		const entry = join(cacheDirectory, `node-${major}`);
		const kept = await readEntry(entry);
		if (kept) return { ...kept, cached: true };
		await fetchEntry(major, entry);
		const fetched = await readEntry(entry);
		if (!fetched) throw new Error(`${entry} does not match its manifest right after it was written`);
		return { ...fetched, cached: false };
	} finally {
		release();
	}
}

async function readEntry(entry) {
	const path = join(entry, "node");
	try {
		const manifest = JSON.parse(await readFile(join(entry, "manifest.json"), "utf8"));
		return manifest.files.node === (await sha256(path)) ? { path, version: manifest.version } : undefined;
	} catch (error) {
		if (error.code === "ENOENT" || error instanceof SyntaxError || error instanceof TypeError)
			return undefined;
		throw error;
	}
}

/** npm verifies the archive against the registry's checksum. */
async function fetchEntry(major, entry) {
	const work = await mkdtemp(join(cacheDirectory, ".tmp-node-"));
	try {
		const spec = `node-linux-${process.arch}@${major}`;
		const { stdout } = await run("npm", ["pack", spec, "--json", "--pack-destination", work], {
			cwd: work,
			maxBuffer: 1 << 26,
		});
		const [{ filename, version }] = JSON.parse(stdout);
		await run("tar", ["-xzf", filename, "package/bin/node"], { cwd: work });
		const finished = join(work, "entry");
		await mkdir(finished);
		await copyFile(join(work, "package/bin/node"), join(finished, "node"));
		const manifest = { version, files: { node: await sha256(join(finished, "node")) } };
		await writeFile(join(finished, "manifest.json"), `${JSON.stringify(manifest)}\n`);
		await rm(entry, { recursive: true, force: true });
		await rename(finished, entry);
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

async function sha256(path) {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
	return hash.digest("hex");
}
