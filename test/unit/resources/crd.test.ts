import test from "ava";
import { z } from "zod";
import { type CrdSchema, crdSchema } from "../../support/crd.ts";
import { askCrds, CRD_KINDS } from "../../support/crd-agreement.ts";

for (const each of CRD_KINDS) {
	const { kind, releases, schema } = each;
	const newest = releases.at(-1) ?? releases[0];

	test(`${kind}: our fields are exactly those of ${newest}`, (t) => {
		const theirs = fieldsOfCrd(crdSchema(newest, kind));
		const ours = fieldsOfZod(schema);
		t.deepEqual(
			[...theirs].filter((path) => !ours.has(path)),
			[],
			"missing here",
		);
		t.deepEqual(
			[...ours].filter((path) => !theirs.has(path)),
			[],
			"not in the CRD",
		);
		t.true(ours.size > 30);
	});

	test(`${kind}: our defaults are those of ${newest}`, (t) => {
		const theirs = defaultsOfCrd(crdSchema(newest, kind));
		for (const [path, value] of theirs) t.deepEqual(defaultAt(schema, path.split(".")), value, path);
		t.true(theirs.size > 0 || kind === "HardwareData");
	});

	test(`${kind}: whatever we accept, every release accepts`, (t) => {
		// a bounded part: `npm run exhaustive -- crd` asks about thousands
		const { accepted, complaints } = askCrds(each, { numRuns: 25 });
		t.deepEqual(complaints, []);
		t.true(accepted > 3, `only ${accepted} were accepted`);
	});
}

/** The API server's own part. */
function isOwnPart(path: string): boolean {
	return /^(apiVersion|kind|metadata)(\.|$)/.test(path);
}

function fieldsOfCrd(schema: CrdSchema, path = "", found = new Set<string>()): Set<string> {
	for (const [name, inner] of Object.entries(schema.properties ?? {})) {
		const here = path === "" ? name : `${path}.${name}`;
		if (isOwnPart(here)) continue;
		found.add(here);
		fieldsOfCrd(inner.items ?? inner, here, found);
	}
	return found;
}

function fieldsOfZod(schema: z.core.$ZodType, path = "", found = new Set<string>()): Set<string> {
	const inner = peel(schema);
	if (inner instanceof z.ZodArray) return fieldsOfZod(inner.element, path, found);
	if (!(inner instanceof z.ZodObject)) return found;
	for (const [name, next] of Object.entries(inner.shape)) {
		const here = path === "" ? name : `${path}.${name}`;
		if (isOwnPart(here)) continue;
		found.add(here);
		fieldsOfZod(next, here, found);
	}
	return found;
}

function defaultsOfCrd(
	schema: CrdSchema,
	path = "",
	found = new Map<string, unknown>(),
): Map<string, unknown> {
	if (schema.default !== undefined) found.set(path, schema.default);
	for (const [name, inner] of Object.entries(schema.properties ?? {}))
		defaultsOfCrd(inner.items ?? inner, path === "" ? name : `${path}.${name}`, found);
	return found;
}

function defaultAt(schema: z.core.$ZodType, path: readonly string[]): unknown {
	const [name, ...rest] = path;
	if (name === undefined) return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
	let inner = peel(schema);
	while (inner instanceof z.ZodArray) inner = peel(inner.element);
	const next =
		inner instanceof z.ZodObject ? (inner.shape as Record<string, z.core.$ZodType>)[name] : undefined;
	return next && defaultAt(next, rest);
}

function peel(schema: z.core.$ZodType): z.core.$ZodType {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return peel(schema.unwrap());
	if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return peel(schema.unwrap());
	return schema instanceof z.ZodPipe ? peel(schema.in) : schema;
}
