import test from "ava";
import fc from "fast-check";
import { stringify } from "yaml";
import { IronstrapErrors } from "../../../src/lib/errors.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseBytes } from "../../../src/site/parse-bytes.ts";
import { BASE, hostText } from "../../support/site-text.ts";

const TEXT = `${BASE}${hostText("  online: true\n  bmc: &bmc {address: 'redfish-virtualmedia://h', credentialsName: bmc}\n  bootMACAddress: 52:54:00:ab:00:01\n  image: {url: 'http://h/i', checksum: 'http://h/i.sum'}\n  userData: {name: bmc}")}`;

/** Reads a text to the end; only `IronstrapErrors` may come out, every error with a place within the text. */
function readToTheEnd(bytes: Uint8Array): void {
	const { documents, findings } = parseBytes(bytes, "f");
	try {
		assembleSite(documents, findings);
	} catch (error) {
		if (!(error instanceof IronstrapErrors)) throw error;
		for (const { code, where, fix } of error.errors) {
			// An empty text has no place in it.
			if (where === undefined && !(code === "ironic-missing" && documents.length === 0))
				throw new Error(`${code} has no place`);
			if (where && (where.line < 1 || where.column < 1 || where.file !== "f"))
				throw new Error(`${code} is at ${JSON.stringify(where)}`);
			if (!fix) throw new Error(`${code} has no fix`);
		}
	}
}

test("changed bytes never crash the reader", (t) => {
	const bytes = Buffer.from(TEXT);
	const change = fc.record({
		at: fc.nat(bytes.length),
		drop: fc.nat(6),
		put: fc.oneof(
			fc.uint8Array({ maxLength: 3 }),
			fc
				.constantFrom(..."\t:-{}[]&*!|>'\"%@`#?,\n", "<<: *bmc", "--- ", "&bmc", "null")
				.map((text) => Buffer.from(text)),
		),
	});
	fc.assert(
		fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
			let changed = bytes as Buffer;
			for (const { at, drop, put } of changes)
				changed = Buffer.concat([changed.subarray(0, at), put, changed.subarray(at + drop)]);
			readToTheEnd(changed);
		}),
		{ numRuns: 1000 },
	);
	t.pass();
});

test("changed structure never crashes the reader", (t) => {
	const { documents } = parseBytes(Buffer.from(TEXT), "f");
	const values = documents.map(({ value }) => value);
	const spots = values.flatMap((value, index) => paths(value).map((path) => [index, ...path]));
	const strange = fc.oneof(
		fc.constantFrom<unknown>(
			null,
			"",
			[],
			{},
			[null],
			0,
			-1,
			1e30,
			true,
			"yes",
			"null",
			"__proto__",
			"fd00::1",
			"0.0.0.0/0",
			"::/0",
			"172.22.0.1",
		),
		fc.jsonValue({ maxDepth: 2 }),
	);
	const change = fc.record({
		spot: fc.constantFrom(...spots),
		value: strange,
		key: fc.option(fc.constantFrom("kind", "name", "spec", "__proto__", "constructor", "toString", "x")),
	});
	fc.assert(
		fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
			const copy = structuredClone(values) as unknown;
			for (const { spot, value, key } of changes) put(copy, key === null ? spot : [...spot, key], value);
			readToTheEnd(Buffer.from((copy as unknown[]).map((value) => `---\n${stringify(value)}`).join("")));
		}),
		{ numRuns: 1000 },
	);
	t.pass();
});

function paths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
	if (typeof value !== "object" || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]))];
}

function put(root: unknown, path: readonly (string | number)[], value: unknown): void {
	const last = path.at(-1);
	let target = root as Record<string | number, unknown> | undefined;
	for (const step of path.slice(0, -1)) {
		const next = target?.[step];
		if (typeof next !== "object" || next === null) return;
		target = next as Record<string | number, unknown>;
	}
	if (last !== undefined && target !== undefined)
		Object.defineProperty(target, last, { value, configurable: true, enumerable: true, writable: true });
}
