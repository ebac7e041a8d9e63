import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { ensureLayout, sitePaths } from "../../../src/state/layout.ts";
import { takeLock } from "../../../src/state/lock.ts";
import { finishPurges, removeState } from "../../../src/state/purge.ts";
import { sweepLeftovers } from "../../../src/state/sweep.ts";

const unfinished = ".0b0c7c1e-6d5e-4f9a-9f50-0d3a1d0f2b11.tmp";

async function layout() {
	const root = await mkdtemp(join(tmpdir(), "ironstrap-purge-"));
	const roots = { state: join(root, "state"), run: join(root, "run"), cache: join(root, "cache") };
	const paths = sitePaths("metal3", roots);
	await ensureLayout(paths, roots);
	return { roots, paths };
}

test("what a killed command left half-written is swept, and nothing else", async (t) => {
	const { paths } = await layout();
	await mkdir(join(paths.runDirectory, "ironic"));
	await mkdir(join(paths.scratchDirectory, "dump"), { recursive: true });
	await writeFile(join(paths.scratchDirectory, "dump", "database.sql"), "secret");
	await writeFile(join(paths.secretsDirectory, "hash-key.json"), "kept");
	await writeFile(join(paths.runDirectory, "ironic", ".user.tmp"), "kept");
	for (const directory of [paths.stateDirectory, paths.secretsDirectory, join(paths.runDirectory, "ironic")])
		await writeFile(join(directory, unfinished), "secret");
	for (const path of [paths.waits, `${paths.waits}.tmp`]) await writeFile(path, "{}");
	await sweepLeftovers(paths);
	t.deepEqual((await readdir(paths.stateDirectory, { recursive: true })).sort(), [
		"hosts",
		"secrets",
		"secrets/hash-key.json",
	]);
	t.deepEqual((await readdir(paths.runDirectory, { recursive: true })).sort(), [
		"ironic",
		"ironic/.user.tmp",
	]);
});

test("a purge that was killed anywhere after its state was gone is ended by the next one", async (t) => {
	const { paths, roots } = await layout();
	await writeFile(join(paths.secretsDirectory, "hash-key.json"), "secret");
	await (await takeLock(paths.lock, "down --purge")).release();
	await mkdir(paths.removedDirectory);
	await writeFile(join(paths.removedDirectory, "older"), "secret");
	await removeState(paths);
	t.deepEqual(await readdir(roots.state), [".metal3.lock"]);
	await removeState(paths);
	await mkdir(paths.removedDirectory);
	await finishPurges(roots);
	t.deepEqual(await readdir(roots.state), []);
	await finishPurges(roots);
});

test("a purge that is ended leaves living sites alone", async (t) => {
	const { paths, roots } = await layout();
	const held = await takeLock(sitePaths("other", roots).lock, "up");
	await (await takeLock(paths.lock, "up")).release();
	await finishPurges(roots);
	t.deepEqual((await readdir(roots.state)).sort(), [".metal3.lock", ".other.lock", "metal3"]);
	await held.release();
});
