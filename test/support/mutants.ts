import fc from "fast-check";
import { stringify } from "yaml";
import { IronstrapErrors } from "../../src/lib/errors.ts";
import { assembleSite } from "../../src/site/assemble.ts";
import { parseBytes } from "../../src/site/parse-bytes.ts";
import { BASE, hostText } from "./site-text.ts";

/** A site with a bit of everything, and nothing to complain about but its virtual media. */
export const SITE_TEXT = `${BASE}${hostText("  online: true\n  bmc: &bmc {address: 'redfish-virtualmedia://h', credentialsName: bmc}\n  bootMACAddress: 52:54:00:ab:00:01\n  image: {url: 'http://h/i', checksum: 'http://h/i.sum'}\n  userData: {name: bmc}")}---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata: {name: metal3}
spec: {bridgeSubnet: 10.89.77.0/24, api: {listen: [192.0.2.1]}, target: {ironic: {networking: {dhcp: null}}}}
`;

/** What is wrong with how these bytes are read: `crash`, `unlocated`, or `undefined` if every error has its place. */
export function misread(
	bytes: Uint8Array,
): { readonly kind: "crash" | "unlocated"; readonly what: string } | undefined {
	let documents = 0;
	try {
		const parsed = parseBytes(bytes, "f");
		documents = parsed.documents.length;
		assembleSite(parsed.documents, parsed.findings, { now: new Date("2026-01-01T00:00:00Z") });
		return undefined;
	} catch (error) {
		if (!(error instanceof IronstrapErrors)) return { kind: "crash", what: String(error) };
		const lost = error.errors.find(({ code, fix, where }) => {
			// An empty text has no place in it.
			if (where === undefined) return !(code === "ironic-missing" && documents === 0);
			return where.line < 1 || where.column < 1 || where.file !== "f" || !fix;
		});
		return lost && { kind: "unlocated", what: `${lost.code} ${JSON.stringify(lost.where)} fix ${lost.fix}` };
	}
}

/** Up to four places of a text overwritten, cut out or filled with what YAML stumbles over. */
export function changedBytes(text: string): fc.Arbitrary<Buffer> {
	const bytes = Buffer.from(text);
	const change = fc.record({
		at: fc.nat(bytes.length),
		drop: fc.nat(6),
		put: fc.oneof(
			fc.uint8Array({ maxLength: 3 }),
			fc
				.constantFrom(..."\t:-{}[]&*!|>'\"%@`#?,;\n\r", "<<: *bmc", "--- ", "&bmc", "null", '""', "\ufeff")
				.map((each) => Buffer.from(each)),
		),
	});
	return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
		let changed = bytes as Buffer;
		for (const { at, drop, put } of changes)
			changed = Buffer.concat([changed.subarray(0, at), put, changed.subarray(at + drop)]);
		return changed;
	});
}

const STRANGE = fc.oneof(
	fc.constantFrom<unknown>(
		...[null, "", [], {}, [null], 0, -1, 1e30, true, "yes", "null", "__proto__", "0.0.0.0/0", "::/0"],
		...[
			"fd00::1",
			"172.22.0.1",
			"ironic.metal3.io/v1alpha1",
			"Secret",
			"redfish://[::1]:0/x",
			"-----BEGIN CERTIFICATE-----",
		],
	),
	fc.jsonValue({ maxDepth: 2 }),
);

/** Up to four values of the objects of a text exchanged for others, or given keys that they do not have. */
export function changedStructure(text: string): fc.Arbitrary<Buffer> {
	const values = parseBytes(Buffer.from(text), "f").documents.map(({ value }) => value);
	const spots = values.flatMap((value, index) => paths(value).map((path) => [index, ...path]));
	const change = fc.record({
		spot: fc.constantFrom(...spots),
		value: STRANGE,
		key: fc.option(fc.constantFrom("kind", "name", "spec", "__proto__", "constructor", "toString", "x")),
	});
	return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
		const copy = structuredClone(values) as unknown;
		for (const { spot, value, key } of changes) put(copy, key === null ? spot : [...spot, key], value);
		return Buffer.from((copy as unknown[]).map((value) => `---\n${stringify(value)}`).join(""));
	});
}

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
