import test from "ava";
import fc from "fast-check";
import { type FileFormat, importBytes } from "../../../../src/site/import/formats.ts";
import { manifestsOf } from "../../../../src/site/import/manifests.ts";
import { parseDocuments } from "../../../../src/site/parse.ts";
import { documentText } from "../../../../src/site/yaml-text.ts";
import { badImport } from "../../../support/bad-import.ts";
import { INVENTORIES } from "../../../support/inventories.ts";
import { changedBytes } from "../../../support/mutants.ts";

const FORMATS = Object.keys(INVENTORIES) as FileFormat[];

for (const format of FORMATS)
	test(`${format}: damaged text never crashes the importer, and every problem has a place`, (t) => {
		t.is(badImport(format, Buffer.from(INVENTORIES[format])), undefined);
		fc.assert(
			// a bounded part: `npm run exhaustive -- import` reads thousands
			fc.property(changedBytes(INVENTORIES[format]), (bytes) => t.is(badImport(format, bytes), undefined)),
			{ numRuns: 40 },
		);
	});

test("any bytes at all, in every format", (t) => {
	fc.assert(
		fc.property(fc.constantFrom(...FORMATS), fc.uint8Array({ maxLength: 200 }), (format, bytes) =>
			t.is(badImport(format, bytes), undefined),
		),
		{ numRuns: 80 },
	);
});

test("a text of one format, read as another, is refused or made the best of", (t) => {
	for (const text of Object.values(INVENTORIES))
		for (const format of FORMATS) t.is(badImport(format, Buffer.from(text)), undefined);
});

test("a password of any characters comes back as it was", (t) => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 12 }), (password) => {
			const quoted = `"${password.replaceAll('"', '""')}"`;
			const text = `name,mac,bmc,user,password\na,52:54:00:ab:00:01,ipmi://192.0.2.1,admin,${quoted}\n`;
			const { files } = manifestsOf(importBytes("csv", Buffer.from(text), "f"), "metal3");
			const secret = files.find(({ name }) => name === "secrets.yaml")?.text ?? "";
			const value = parseDocuments(secret, "s").documents[0]?.value as Readonly<Record<string, unknown>>;
			// half of a surrogate pair is no text that a file can hold
			t.deepEqual(value.stringData, { username: "admin", password: Buffer.from(password).toString() });
		}),
		{ numRuns: 100 },
	);
});

test("texts that one version of YAML takes for something else are quoted", (t) => {
	const value = {
		a: "0o17",
		b: "yes",
		c: "1_000",
		d: "0x1f",
		e: "12:30:45",
		f: "~",
		g: " x ",
		h: "a: b #c",
		i: "",
	};
	t.deepEqual(
		parseDocuments(documentText(value, ["a comment\nthat is no key: value"]), "f").documents[0]?.value,
		value,
	);
});
