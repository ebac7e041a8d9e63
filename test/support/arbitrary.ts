import fc from "fast-check";
import { z } from "zod";

/**
 * Generates what a schema takes, by walking it: so that a field that is added later is generated too. Texts with a
 * pattern follow it; other texts are short and contain odd characters.
 */
export function arbitraryInput(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
		return arbitraryInput(schema.unwrap());
	if (schema instanceof z.ZodNullable)
		return fc.option(arbitraryInput(schema.unwrap()), { nil: null, freq: 5 });
	if (schema instanceof z.ZodPipe) return arbitraryInput(schema.in);
	if (schema instanceof z.ZodObject) return object(schema);
	if (schema instanceof z.ZodArray) {
		const { minimum = 0, maximum = minimum + 2 } = bag(schema);
		return fc.array(arbitraryInput(schema.element), {
			minLength: minimum,
			maxLength: Math.min(maximum, minimum + 2),
		});
	}
	if (schema instanceof z.ZodRecord)
		return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), arbitraryInput(schema.valueType), { maxKeys: 2 });
	if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(arbitraryInput));
	if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as string[]));
	if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
	if (schema instanceof z.ZodBoolean) return fc.boolean();
	if (schema instanceof z.ZodNumber) return number(schema);
	if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return text(schema);
	if (schema instanceof z.ZodUnknown) return fc.jsonValue({ maxDepth: 1 });
	throw new TypeError(`no generator for ${schema.constructor.name}`);
}

function object(schema: z.ZodObject): fc.Arbitrary<unknown> {
	const entries = Object.entries(schema.shape);
	const required = entries.filter(([, inner]) => !isOptional(inner)).map(([name]) => name);
	const model = Object.fromEntries(entries.map(([name, inner]) => [name, arbitraryInput(inner)]));
	return fc.record(model, { requiredKeys: required });
}

function isOptional(schema: z.core.$ZodType): boolean {
	return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
}

interface Bag {
	readonly minimum?: number | undefined;
	readonly maximum?: number | undefined;
	readonly pattern?: RegExp | undefined;
}

/** The limits that a schema's checks set. */
function bag(schema: z.core.$ZodType): Bag {
	const checks = (schema._zod.def as { checks?: readonly z.core.$ZodCheck[] }).checks ?? [];
	const found = checks.map(
		(check) =>
			check._zod.def as {
				check: string;
				minimum?: number;
				maximum?: number;
				value?: number;
				pattern?: RegExp;
			},
	);
	const of = (name: string) => found.find(({ check }) => check === name);
	return {
		minimum: of("min_length")?.minimum ?? of("greater_than")?.value,
		maximum: of("max_length")?.maximum ?? of("less_than")?.value,
		pattern: of("string_format")?.pattern,
	};
}

function number(schema: z.ZodNumber): fc.Arbitrary<number> {
	const { minimum, maximum } = bag(schema);
	const { format } = schema.def as { format?: string };
	const isWhole = format === "safeint" || format === "int32";
	if (!isWhole) return fc.double({ noNaN: true, noDefaultInfinity: true });
	const limits =
		format === "int32" ? [-(2 ** 31), 2 ** 31 - 1] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
	return fc.integer({ min: minimum ?? limits[0] ?? 0, max: maximum ?? limits[1] ?? 0 });
}

function text(schema: z.core.$ZodType): fc.Arbitrary<string> {
	const { pattern, minimum = 0, maximum } = bag(schema);
	const { format } = schema._zod.def as { format?: string };
	if (format === "url")
		return fc.oneof(
			fc.webUrl(),
			fc.constantFrom("file:///a", "http://a b", "http://é/", "x:", "http://[::1]/", "oci://r/x?y#z"),
		);
	if (format === "datetime")
		return fc
			.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
			.map((date) => date.toISOString());
	if (format === "base64") return fc.base64String();
	if (pattern) return fc.stringMatching(pattern);
	return fc.string({
		minLength: minimum,
		maxLength: Math.max(minimum, Math.min(maximum ?? 8, 8)),
		unit: "grapheme",
	});
}
