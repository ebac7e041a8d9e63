import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { openHostStore, type StoredHost } from "../../../src/state/host-store.ts";
import { ensureLayout, sitePaths } from "../../../src/state/layout.ts";
import { takeLock } from "../../../src/state/lock.ts";
import { openSecretStore } from "../../../src/state/secret-store.ts";
import { readVersioned, writeVersioned } from "../../../src/state/versioned.ts";
import { persistWaits, readWaits } from "../../../src/state/waits.ts";

const scratch = () => mkdtemp(join(tmpdir(), "ironstrap-state-"));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("everything of a site is for root alone, also when it was not before", async (t) => {
	const root = await scratch();
	const roots = { state: join(root, "state"), run: join(root, "run"), cache: join(root, "cache") };
	const paths = sitePaths("metal3", roots);
	await ensureLayout(paths, roots);
	await chmod(paths.secretsDirectory, 0o755);
	await ensureLayout(paths, roots);
	t.deepEqual(
		await Promise.all(
			[paths.stateDirectory, paths.secretsDirectory, paths.hostsDirectory, paths.runDirectory].map(modeOf),
		),
		["700", "700", "700", "700"],
	);
	t.is(await modeOf(roots.cache), "755");
});

test("a state file of a newer ironstrap is refused, a damaged one named", async (t) => {
	const file = join(await scratch(), "pins.json");
	t.is(await readVersioned(file, 1), undefined);
	await writeVersioned(file, { formatVersion: 2 });
	await t.throwsAsync(readVersioned(file, 1), {
		code: "state-too-new",
		message: `${file} was written by a newer ironstrap`,
	});
	await writeFile(file, "[1, 2");
	await t.throwsAsync(readVersioned(file, 1), { code: "state-damaged" });
});

test("a secret is made once and stored readable by root alone", async (t) => {
	const directory = await scratch();
	const store = openSecretStore(directory);
	t.is(await store.ensure("api-password", () => "first"), "first");
	t.is(await store.ensure("api-password", () => "second"), "first");
	t.is(await modeOf(join(directory, "api-password.json")), "600");
	t.deepEqual(await store.list(), ["api-password"]);
	await store.remove("api-password");
	await store.remove("api-password");
	t.deepEqual(await store.list(), []);
});

test("hosts are stored one file each, named as their Ironic node", async (t) => {
	const directory = await scratch();
	const store = openHostStore(directory);
	const stored: StoredHost = {
		formatVersion: 1,
		namespace: "metal3",
		name: "cp-0",
		status: {
			operationalStatus: "OK",
			errorMessage: "",
			errorCount: 0,
			poweredOn: true,
			provisioning: { state: "provisioned", ID: "5c9f4d9e-6d5e-4f9a-9f50-0d3a1d0f2b11" },
		} as StoredHost["status"],
	};
	await store.write(stored, stored);
	t.deepEqual(await store.read({ namespace: "metal3", name: "cp-0" }), stored);
	t.deepEqual(await store.list(), [stored]);
	t.like(JSON.parse(await readFile(join(directory, "metal3~cp-0.json"), "utf8")), { name: "cp-0" });
});

test("the lock is taken once, names its holder, and is free when the holder was killed", async (t) => {
	const path = join(await scratch(), ".metal3.lock");
	const mine = await takeLock(path, "up");
	await t.throwsAsync(takeLock(path, "down"), {
		code: "site-busy",
		message: "another ironstrap is working on this site",
	});
	await mine.release();
	const module = new URL("../../../src/state/lock.js", import.meta.url).href;
	const holder = spawn(
		process.execPath,
		[
			"--input-type=module",
			"-e",
			`import {takeLock} from ${JSON.stringify(module)}; await takeLock(${JSON.stringify(path)}, "up"); console.log("held"); setInterval(() => {}, 1000)`,
		],
		{ stdio: ["ignore", "pipe", "inherit"] },
	);
	await once(holder.stdout, "data");
	const error = await t.throwsAsync<Error & { seen: string }>(takeLock(path, "down"), { code: "site-busy" });
	t.regex(error?.seen ?? "", new RegExp(`ironstrap up, process ${holder.pid}`));
	holder.kill("SIGKILL");
	await once(holder, "exit");
	await (await takeLock(path, "down")).release();
});

test("waits are shown while their process lives and vanish with it", async (t) => {
	const path = join(await scratch(), "waits.json");
	t.deepEqual(readWaits(path), []);
	const sink = persistWaits(path);
	const wait = { id: "1", what: "the conductor", why: "503", subject: undefined, since: "", deadline: "" };
	sink({ type: "waiting", wait });
	t.is(readWaits(path)[0]?.what, "the conductor");
	sink({ type: "wait-over", id: "1", seconds: 1 });
	t.deepEqual(readWaits(path), []);
	await t.throwsAsync(stat(path), { code: "ENOENT" }, "no wait, no file");
	const child = spawn("true");
	await once(child, "exit");
	await writeFile(path, JSON.stringify({ formatVersion: 1, pid: child.pid, waits: [wait] }));
	t.deepEqual(readWaits(path), []);
});
