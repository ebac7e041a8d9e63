import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { BundleFile } from "../../../src/pivot/bundle.ts";
import { BUNDLE_KIND } from "../../../src/pivot/bundle-index.ts";
import { writeBundle } from "../../../src/pivot/write-bundle.ts";

const files = (marker: string): BundleFile[] => [
	{ path: "bundle.json", content: JSON.stringify({ formatVersion: 1, kind: BUNDLE_KIND, site: "metal3" }) },
	{ path: "manifests/10-secrets.yaml", content: marker },
];

async function* dump() {
	yield Buffer.from("CREATE TABLE nodes;\n");
	yield Buffer.from("INSERT;\n");
}

async function temporary(t: ExecutionContext): Promise<string> {
	const parent = await mkdtemp(join(tmpdir(), "bundle-"));
	t.teardown(() => rm(parent, { recursive: true }));
	return parent;
}

test("a bundle is private, complete and passes its own checksums", async (t) => {
	const parent = await temporary(t);
	const directory = join(parent, "out");
	await writeBundle(files("one"), { directory, site: "metal3", dump: dump() });
	t.deepEqual((await readdir(directory)).sort(), ["SHA256SUMS", "bundle.json", "database.sql", "manifests"]);
	t.is((await stat(directory)).mode & 0o777, 0o700);
	t.is((await stat(join(directory, "manifests"))).mode & 0o777, 0o700);
	for (const file of ["SHA256SUMS", "bundle.json", "database.sql", "manifests/10-secrets.yaml"])
		t.is((await stat(join(directory, file))).mode & 0o777, 0o600, file);
	t.is(await readFile(join(directory, "database.sql"), "utf8"), "CREATE TABLE nodes;\nINSERT;\n");
	const checked = execFileSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: directory, encoding: "utf8" });
	t.is(checked, "bundle.json: OK\nmanifests/10-secrets.yaml: OK\ndatabase.sql: OK\n");
	t.deepEqual(await readdir(parent), ["out"]);
});

test("a bundle of the same site is replaced as a whole; an empty directory is taken", async (t) => {
	const parent = await temporary(t);
	const directory = join(parent, "out");
	await mkdir(directory);
	await writeBundle(files("one"), { directory, site: "metal3", dump: dump() });
	await writeBundle(files("two"), { directory, site: "metal3" });
	t.is(await readFile(join(directory, "manifests/10-secrets.yaml"), "utf8"), "two");
	t.false((await readdir(directory)).includes("database.sql"));
	t.deepEqual(await readdir(parent), ["out"]);
});

test("anything else in the way is refused and left alone", async (t) => {
	const parent = await temporary(t);
	const other = join(parent, "other");
	await writeBundle(files("x"), { directory: other, site: "metal3" });
	const full = join(parent, "full");
	await mkdir(full);
	await writeFile(join(full, "thesis.tex"), "precious");
	await writeFile(join(parent, "file"), "");
	for (const [directory, site, seen] of [
		[other, "another", "it is the bundle of site metal3"],
		[full, "metal3", "it holds thesis.tex"],
		[join(parent, "file"), "metal3", "it is a file"],
	] as const) {
		const error = await t.throwsAsync(writeBundle(files("y"), { directory, site }), {
			instanceOf: IronstrapError,
		});
		t.is(error.code, "pivot-directory-taken");
		t.is(error.seen, seen);
	}
	t.is(await readFile(join(full, "thesis.tex"), "utf8"), "precious");
	t.deepEqual((await readdir(parent)).sort(), ["file", "full", "other"]);
});

test("a dump that breaks off leaves the old bundle and nothing beside it", async (t) => {
	const parent = await temporary(t);
	const directory = join(parent, "out");
	await writeBundle(files("one"), { directory, site: "metal3" });
	async function* broken() {
		yield Buffer.from("half");
		throw new Error("the database went away");
	}
	await t.throwsAsync(writeBundle(files("two"), { directory, site: "metal3", dump: broken() }), {
		message: "the database went away",
	});
	t.is(await readFile(join(directory, "manifests/10-secrets.yaml"), "utf8"), "one");
	t.deepEqual(await readdir(parent), ["out"]);
});

test("what a killed run left is cleared away; the old bundle comes back if its place is empty", async (t) => {
	const parent = await temporary(t);
	const directory = join(parent, "out");
	await writeBundle(files("one"), { directory, site: "metal3" });
	const id = "0b1f5c2e-0000-4000-8000-000000000002";
	await rename(directory, join(parent, `.out.${id}.partial.old`));
	await mkdir(join(parent, `.out.${id}.partial`));
	await t.throwsAsync(writeBundle(files("two"), { directory, site: "another" }), {
		message: /no bundle of this site/,
	});
	t.is(await readFile(join(directory, "manifests/10-secrets.yaml"), "utf8"), "one");
	t.deepEqual(await readdir(parent), ["out"]);
});
