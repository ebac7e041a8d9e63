import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import test from "ava";
import { startPodman } from "../../../lab/podman.ts";
import { startSandbox } from "../../../lab/sandbox.ts";
import { faultsIn, ironstrap } from "../../../lab/story/product.ts";

/** An empty image; `ours`: with the label that ironstrap's builds have. */
const IMPORT = 'tar -cf - -T /dev/null | podman import --quiet --change "LABEL $1=$2" - $3';

test("images prune: what ironstrap built and nothing uses goes, everything else stays", async (t) => {
	t.timeout(120_000);
	const sandbox = await startSandbox();
	t.teardown(() => sandbox.stop());
	await startPodman(sandbox);
	const podman = async (...words: string[]) => (await sandbox.run("podman", words)).stdout;
	const make = async (label: string, text: string, ...names: string[]) => {
		const [first = "", ...more] = names;
		const { stdout } = await sandbox.run("sh", ["-ec", IMPORT, "sh", label, text, first]);
		const id = stdout.trim().replace(/^sha256:/, "");
		for (const name of more) await podman("tag", id, name);
		return id;
	};
	const ours = (text: string, ...names: string[]) => make("io.ironstrap.key", text, ...names);
	const ironic = "localhost/ironstrap/ironic";
	await ours("old", `${ironic}:29.0.4`, `${ironic}:29.0`);
	const nameless = await ours("nameless");
	const stays = [
		await ours("latest", `${ironic}:29.0.5`, `${ironic}:latest`),
		await ours("renamed", "registry.example.org/ironic:prod"),
		await ours("stopped"),
		await make("theirs", "yes"),
		await ours("pinned", `${ironic}:29.0.2`),
	];
	mkdirSync(sandbox.path("/var/lib/ironstrap/metal3"));
	writeFileSync(
		sandbox.path("/var/lib/ironstrap/metal3/pins.json"),
		JSON.stringify({ formatVersion: 1, images: { "registry.example.org/ironic:29": `sha256:${stays[4]}` } }),
	);
	await podman("create", "--name", "stopped", stays[2] ?? "", "/bin/true");
	const cache = sandbox.path("/var/cache/ironstrap/images");
	mkdirSync(cache);
	for (const [day, key] of ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"].entries()) {
		const record = { format: 1, name: "ironic", version: "29.0.5", key, imageId: `sha256:${key}`, bytes: 4 };
		writeFileSync(`${cache}/ironic-29.0.5-${key}.json`, JSON.stringify(record));
		writeFileSync(`${cache}/ironic-29.0.5-${key}.tar`, "tar\n");
		utimesSync(`${cache}/ironic-29.0.5-${key}.tar`, day * 86_400, day * 86_400);
	}
	const ids = async () => {
		const list = (await podman("images", "--quiet", "--no-trunc", "--all")).split(/\s+/);
		return [...new Set(list)].sort();
	};

	const before = await ids();
	const dry = await ironstrap(sandbox, ["images", "prune", "--dry-run"]);
	t.is(dry.exitCode, 0, faultsIn(dry));
	const removed = dry.result?.removed as { what: string }[] | undefined;
	t.deepEqual(removed?.map(({ what }) => what).toSorted(), [
		"/var/cache/ironstrap/images/ironic-29.0.5-aaaaaaaaaaaaaaaa.tar",
		`${ironic}:29.0.4, ${ironic}:29.0`,
		`sha256:${nameless}`,
	]);
	t.deepEqual(await ids(), before, "only said");
	t.is(readdirSync(cache).length, 4);

	const prune = await ironstrap(sandbox, ["images", "prune"]);
	t.is(prune.exitCode, 0, faultsIn(prune));
	t.deepEqual(prune.result?.removed, dry.result?.removed);
	t.deepEqual(await ids(), stays.map((id) => `sha256:${id}`).sort());
	t.deepEqual(
		readdirSync(cache)
			.filter((name) => !name.startsWith("."))
			.toSorted(),
		["ironic-29.0.5-bbbbbbbbbbbbbbbb.json", "ironic-29.0.5-bbbbbbbbbbbbbbbb.tar"],
	);

	const again = await ironstrap(sandbox, ["images", "prune"]);
	t.like(again.result, { removed: [], bytes: 0 });
});
