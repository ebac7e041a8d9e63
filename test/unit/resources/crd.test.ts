import test from "ava";
import fc from "fast-check";
import { z } from "zod";
import { bareMetalHostSchema } from "../../../src/resources/bare-metal-host.ts";
import { hardwareDataSchema } from "../../../src/resources/hardware-data.ts";
import { ironicSchema } from "../../../src/resources/ironic.ts";
import { arbitraryInput } from "../../support/arbitrary.ts";
import { BMO_RELEASES, type CrdSchema, crdSchema, crdValidator, IRSO_RELEASES } from "../../support/crd.ts";

const KINDS = [
	{ kind: "BareMetalHost", schema: bareMetalHostSchema, releases: BMO_RELEASES },
	{ kind: "HardwareData", schema: hardwareDataSchema, releases: BMO_RELEASES },
	{ kind: "Ironic", schema: ironicSchema, releases: IRSO_RELEASES },
] as const;

for (const { kind, schema, releases } of KINDS) {
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
		const validators = releases.map((release) => ({
			release,
			// A release drops the fields that it does not know yet.
			validate: crdValidator(release, kind, { unknownFields: release === newest ? "refuse" : "prune" }),
		}));
		let accepted = 0;
		fc.assert(
			fc.property(arbitraryInput(schema), (input) => {
				const result = schema.safeParse(input);
				if (!result.success) return;
				accepted++;
				for (const { release, validate } of validators) {
					const complaints = validate(result.data).filter((text) => !isNewValue(text));
					if (complaints.length > 0)
						throw new Error(`${release}: ${complaints.join("; ")}\n${JSON.stringify(result.data)}`);
				}
			}),
			{ numRuns: 100 },
		);
		t.true(accepted > 30, `only ${accepted} were accepted`);
	});
}

/** `inspectionMode: fast` is a value that older releases do not have; the pivot looks at the target's CRD for it. */
function isNewValue(complaint: string): boolean {
	return complaint.startsWith("/spec/inspectionMode must be equal to one of the allowed values");
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
