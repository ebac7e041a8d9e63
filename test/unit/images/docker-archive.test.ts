import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import test from "ava";
import { extract } from "tar-stream";
import { writeDockerArchive } from "../../../src/images/docker-archive.ts";
import { tarHeader } from "../../../src/lib/tar-header.ts";

const config = {
	architecture: "amd64",
	created: "2026-11-21T09:15:44.000Z",
	entrypoint: ["/usr/bin/tini", "--"],
	labels: { "org.opencontainers.image.version": "29.0.5" },
	tags: ["localhost/ironstrap/ironic:29.0.5", "localhost/ironstrap/ironic:latest"],
};

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
	for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index + 1);
}

async function membersOf(path: string): Promise<Map<string, Buffer>> {
	const members = new Map<string, Buffer>();
	const archive = createReadStream(path).pipe(extract());
	for await (const entry of archive) members.set(entry.header.name, await buffer(entry));
	return members;
}

test.beforeEach(async (t) => {
	t.context = await mkdtemp(join(tmpdir(), "ironstrap-archive-"));
});

test.afterEach.always((t) => rm(t.context as string, { recursive: true }));

test("the archive holds layer, configuration and manifest, which refer to each other by digest", async (t) => {
	const path = join(t.context as string, "image.tar");
	const written = await writeDockerArchive(path, chunks(700, 1, 65_536), config);
	const members = await membersOf(path);
	const layer = members.get("layer.tar") ?? Buffer.alloc(0);
	t.is(layer.length, 66_237);
	const [manifest] = JSON.parse(members.get("manifest.json")?.toString() ?? "[]");
	t.deepEqual(manifest.RepoTags, config.tags);
	t.deepEqual(manifest.Layers, ["layer.tar"]);
	const configText = members.get(manifest.Config) ?? Buffer.alloc(0);
	t.is(written.imageId, `sha256:${createHash("sha256").update(configText).digest("hex")}`);
	const image = JSON.parse(configText.toString());
	t.deepEqual(image.rootfs.diff_ids, [`sha256:${createHash("sha256").update(layer).digest("hex")}`]);
	t.deepEqual(image.config.Entrypoint, ["/usr/bin/tini", "--"]);
	t.is(image.created, "2026-11-21T09:15:44.000Z");
	t.is(written.bytes, (await stat(path)).size);
});

test("equal inputs give equal archives, however the layer arrives", async (t) => {
	const folder = t.context as string;
	const same = async function* () {
		yield Buffer.alloc(1024, 7);
	};
	const pieces = async function* () {
		for (let i = 0; i < 1024; i += 256) yield Buffer.alloc(256, 7);
	};
	await writeDockerArchive(join(folder, "a"), same(), config);
	await writeDockerArchive(join(folder, "b"), pieces(), config);
	t.deepEqual(await readFile(join(folder, "a")), await readFile(join(folder, "b")));
});

test("a layer that breaks off leaves an error, not a shorter image", async (t) => {
	const broken = async function* () {
		yield Buffer.alloc(10);
		throw new Error("mmdebstrap died");
	};
	await t.throwsAsync(writeDockerArchive(join(t.context as string, "x"), broken(), config), {
		message: "mmdebstrap died",
	});
});

test("what a tar header cannot express is refused", (t) => {
	t.throws(() => tarHeader("x".repeat(101), 1), { instanceOf: RangeError });
	t.throws(() => tarHeader("x", 8 ** 11), { instanceOf: RangeError });
	t.is(tarHeader("x", 8 ** 11 - 1).toString("latin1", 124, 135), "77777777777");
});
