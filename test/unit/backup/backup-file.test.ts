import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { generateIdentity, identityToRecipient } from "age-encryption";
import test from "ava";
import { extract } from "tar-stream";
import { backupFormat } from "../../../src/backup/format.ts";
import { readBackup, verifyBackup } from "../../../src/backup/read-backup.ts";
import { writeBackup } from "../../../src/backup/write-backup.ts";

const { signal } = new AbortController();
const secret = "correct horse battery staple";
const index = {
	site: "metal3",
	createdAt: "2026-11-30T12:00:00.000Z",
	writtenBy: "ironstrap 0.1.0",
	database: { kind: "mariadb", rows: { nodes: 3, ports: 5 } },
	images: { ironic: { reference: "localhost/ironstrap/ironic:29.0.5", id: "sha256:aa", version: "29.0.5" } },
} as const;
const state = [
	{ path: "site.yaml", content: "# ironstrap applied site, format version 1\n" },
	{ path: "secrets/database-password.json", content: `{"formatVersion":1,"value":"${secret}"}` },
	{ path: `hosts/${"n".repeat(63)}~${"h".repeat(180)}.json`, content: "{}" },
];

async function folder(): Promise<{ readonly path: string; readonly dump: string; readonly sql: Buffer }> {
	const path = await mkdtemp(join(tmpdir(), "ironstrap-backup-"));
	const dump = join(path, "dump.sql");
	// longer than a chunk, and no multiple of a tar block
	const sql = Buffer.concat([Buffer.from(`-- ${secret}\n`), randomBytes((1 << 20) + 77)]);
	await writeFile(dump, sql);
	return { path, dump, sql };
}

async function restored(file: string, key: Parameters<typeof readBackup>[1]) {
	const sink = new PassThrough();
	const collected = buffer(sink);
	const read = await readBackup(file, key, signal, sink);
	sink.end();
	return { ...read, sql: await collected };
}

test("what is written comes back, the dump to the byte, and a second reader sees the same archive", async (t) => {
	const { dump, path, sql } = await folder();
	t.teardown(() => rm(path, { recursive: true }));
	const file = join(path, "b.tar.gz");
	const written = await writeBackup({ index, state, database: dump }, file, { kind: "none" }, signal);
	t.is(written.formatVersion, 1);
	t.is((await stat(file)).mode & 0o777, 0o600);
	const read = await restored(file, {});
	t.deepEqual(read.state, state);
	t.deepEqual(read.index, written);
	t.true(read.sql.equals(sql));
	const names: string[] = [];
	const tar = extract();
	tar.end(gunzipSync(await readFile(file)));
	for await (const entry of tar) {
		names.push(entry.header.name);
		entry.resume();
	}
	t.deepEqual(names, ["backup.json", "state.json", "database.sql"]);
	t.deepEqual(await readdir(path), ["b.tar.gz", "dump.sql"], "nothing is left beside it");
});

test("a passphrase or a recipient's key opens an encrypted one, nothing else does", async (t) => {
	t.timeout(120_000);
	const { dump, path } = await folder();
	t.teardown(() => rm(path, { recursive: true }));
	const identity = await generateIdentity();
	const recipient = await identityToRecipient(identity);
	const content = { index, state, database: dump };
	const [byPhrase, byKey] = [join(path, "phrase.age"), join(path, "key.age")];
	await writeBackup(content, byPhrase, { kind: "passphrase", passphrase: "one two three" }, signal);
	await writeBackup(content, byKey, { kind: "recipient", recipient }, signal);
	t.deepEqual((await verifyBackup(byPhrase, { passphrase: "one two three" }, signal)).site, "metal3");
	t.deepEqual((await verifyBackup(byKey, { identity }, signal)).site, "metal3");
	for (const [file, key] of [
		[byPhrase, {}],
		[byPhrase, { passphrase: "one two four" }],
		[byKey, {}],
		[byKey, { identity: await generateIdentity() }],
	] as const)
		await t.throwsAsync(verifyBackup(file, key, signal), { code: "backup-locked" });
	for (const file of [byPhrase, byKey]) t.false((await readFile(file)).includes(secret));
	await t.throwsAsync(
		writeBackup(content, join(path, "x"), { kind: "recipient", recipient: "age1x" }, signal),
		{
			code: "age-recipient-invalid",
		},
	);
});

test("a backup that is cut off, changed, continued or something else is refused", async (t) => {
	const { dump, path } = await folder();
	t.teardown(() => rm(path, { recursive: true }));
	const file = join(path, "b.tar.gz");
	await writeBackup({ index, state, database: dump }, file, { kind: "none" }, signal);
	const tar = gunzipSync(await readFile(file));
	const refused = async (bytes: Buffer, seen: RegExp) => {
		const other = join(path, "other");
		await writeFile(other, bytes);
		const error = await t.throwsAsync(verifyBackup(other, {}, signal), { code: "backup-damaged" });
		t.regex((error as { seen?: string }).seen ?? "", seen);
	};
	await refused((await readFile(file)).subarray(0, -20_000), /unexpected end of file/);
	await refused(gzipSync(tar.subarray(0, -5000)), /cut off/);
	const flipped = Buffer.from(tar);
	flipped[flipped.length - 4000] = (flipped[flipped.length - 4000] ?? 0) ^ 1;
	await refused(gzipSync(flipped), /database\.sql is not what its checksum says/);
	const other = Buffer.from(tar);
	other.write("X", other.indexOf("# ironstrap applied"));
	await refused(gzipSync(other), /state\.json is not what its checksum says/);
	await refused(gzipSync(Buffer.concat([tar, Buffer.from("more")])), /follows its end/);
	await refused(Buffer.from("hello"), /incorrect header check/);
	await refused(gzipSync(Buffer.from("hello")), /cut off/);
	await refused(Buffer.alloc(0), /end of file|cut off/);
});

test("what would be written elsewhere than in the state directory is refused, and so is a newer format", async (t) => {
	const { dump, path } = await folder();
	t.teardown(() => rm(path, { recursive: true }));
	for (const [at, odd] of ["../site.yaml", "/etc/passwd", "secrets/../x", "a/b", ".lock", ""].entries()) {
		const content = { index, state: [{ path: odd, content: "" }], database: dump };
		const file = join(path, `odd-${at}`);
		await t.throwsAsync(
			writeBackup(content, file, { kind: "none" }, signal),
			{ code: "backup-damaged" },
			odd,
		);
	}
	const elsewhere = { index: { ...index, site: "../metal3" }, state, database: dump };
	await t.throwsAsync(writeBackup(elsewhere, join(path, "elsewhere"), { kind: "none" }, signal), {
		code: "backup-damaged",
	});
	const file = join(path, "b.tar.gz");
	await writeBackup({ index, state, database: dump }, file, { kind: "none" }, signal);
	const tar = gunzipSync(await readFile(file));
	const newer = Buffer.from(
		tar.toString("latin1").replace('"formatVersion": 1', '"formatVersion": 2'),
		"latin1",
	);
	await writeFile(join(path, "newer"), gzipSync(newer));
	t.is(backupFormat, 1);
	await t.throwsAsync(verifyBackup(join(path, "newer"), {}, signal), { code: "backup-too-new" });
});

test("an existing file is never overwritten, and what a killed run left beside it goes", async (t) => {
	const { dump, path } = await folder();
	t.teardown(() => rm(path, { recursive: true }));
	const file = join(path, "b.tar.gz");
	await writeFile(join(path, ".b.tar.gz.01234567-89ab-cdef-0123-456789abcdef.partial"), secret);
	await writeFile(file, "mine");
	const content = { index, state, database: dump };
	await t.throwsAsync(writeBackup(content, file, { kind: "none" }, signal), { code: "backup-exists" });
	t.is(await readFile(file, "utf8"), "mine");
	t.deepEqual((await readdir(path)).sort(), ["b.tar.gz", "dump.sql"]);
	await t.throwsAsync(writeBackup(content, join(path, "no/where"), { kind: "none" }, signal), {
		code: "backup-unwritable",
	});
	await t.throwsAsync(verifyBackup(join(path, "nothing"), {}, signal), { code: "backup-unreadable" });
});
