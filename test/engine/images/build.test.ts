import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import test from "ava";
import { until } from "../../../lab/until.ts";
import { readAsset } from "../../../src/assets/assets.ts";
import { buildImage } from "../../../src/images/build.ts";
import { loadDefinition } from "../../../src/images/definition.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";

/** Real in every respect but small: seconds instead of a minute. */
const small = { ...loadDefinition("mariadb", readAsset), packages: ["tini"], versionOf: "tini" };

// /var/tmp: a tree and its archive are hundreds of megabytes
const temporary = () => mkdtemp(join("/var/tmp", "ironstrap-images-test-"));

test("a killed build leaves no process and no mount, the next one finishes, and equal packages give an equal image", async (t) => {
	t.timeout(600_000);
	const folder = await temporary();
	t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
	const program = fileURLToPath(new URL("./doomed-build.js", import.meta.url));
	const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
	for await (const line of createInterface({ input: child.stdout }))
		if (line.includes("installing remaining packages")) break;
	t.not((await processesNaming(folder)).length, 0);
	child.kill("SIGKILL");

	await until(async () => (await processesNaming(folder)).length === 0, {
		what: "the end of all processes of the build",
		deadlineMs: 20_000,
	});
	t.false((await readFile("/proc/self/mounts", "utf8")).includes(folder));
	t.deepEqual(await archives(folder), []);

	const first = await buildImage(small, { outDir: folder });
	t.false(first.cached);
	t.deepEqual(await archives(folder), [first.archive]);
	t.false((await readdir(folder)).includes(".build-mariadb"));

	const second = await buildImage(small, { outDir: folder });
	t.true(second.cached);
	const again = await buildImage(small, { outDir: folder, noCache: true });
	t.false(again.cached);
	t.is(again.imageId, first.imageId);
	t.is(again.sha256, first.sha256);
});

test("an interrupted build cleans up after itself", async (t) => {
	t.timeout(120_000);
	const folder = await temporary();
	t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
	const stop = new AbortController();
	const build = buildImage(small, {
		outDir: folder,
		signal: stop.signal,
		onProgress: (text) => text.includes("installing essential packages") && stop.abort(),
	});
	t.is(((await t.throwsAsync(build, { any: true })) as Error).name, "AbortError");
	t.deepEqual(
		(await readdir(folder)).filter((name) => !name.endsWith(".lock") && !name.startsWith(".candidates")),
		[],
	);
	t.deepEqual(await processesNaming(folder), []);
});

test("a mirror that does not answer is named, with what to do", async (t) => {
	t.timeout(60_000);
	const folder = await temporary();
	t.teardown(() => rm(folder, { recursive: true, force: true }));
	const build = buildImage(small, { outDir: folder, mirror: "http://127.0.0.1:9/debian" });
	const error = await t.throwsAsync(build, { instanceOf: IronstrapError });
	t.is(error?.code, "mirror-unreachable");
	t.regex(error?.message ?? "", /http:\/\/127\.0\.0\.1:9\/debian does not serve the release trixie/);
	t.regex(error?.seen ?? "", /Connection refused/);
	t.regex(error?.fix ?? "", /--mirror/);
});

test("a missing tool is named with the package that has it", async (t) => {
	const path = process.env.PATH;
	const empty = await mkdtemp(join(tmpdir(), "ironstrap-empty-path-"));
	t.teardown(() => rm(empty, { recursive: true }));
	process.env.PATH = empty;
	try {
		const error = await t.throwsAsync(buildImage(small, { outDir: empty }), { instanceOf: IronstrapError });
		t.is(error?.code, "tool-missing");
		t.is(error?.fix, "apt-get install mmdebstrap");
	} finally {
		process.env.PATH = path;
	}
});

const archives = async (folder: string): Promise<string[]> =>
	(await readdir(folder)).filter((name) => name.endsWith(".tar")).map((name) => join(folder, name));

/** Ids of the processes that have the folder in their arguments, root directory or working directory. */
async function processesNaming(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const pid of (await readdir("/proc")).filter(
		(name) => /^\d+$/.test(name) && name !== String(process.pid),
	)) {
		const texts = await Promise.all([
			readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
			readlink(`/proc/${pid}/root`).catch(() => ""),
			readlink(`/proc/${pid}/cwd`).catch(() => ""),
		]);
		if (texts.some((text) => text.includes(folder))) found.push(pid);
	}
	return found;
}
