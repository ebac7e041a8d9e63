import { z } from "zod";
import { parseMacAddress } from "../resources/mac-address.ts";
import type { Path, SourceDocument } from "./document.ts";
import type { Finding } from "./finding.ts";
import { nearest } from "./nearest.ts";
import { isSensitive, redactUserinfo } from "./sensitive.ts";

interface Context {
	readonly document: SourceDocument;
	readonly kind: string;
	readonly subject: string;
	readonly schema: z.core.$ZodType;
}

type Issue = z.core.$ZodIssue;

/** What zod found → findings with positions, our words, and the nearest known name where a name is wrong. */
export function findingsOfIssues(issues: readonly Issue[], context: Context): Finding[] {
	return issues.flatMap((issue) =>
		issue.code === "unrecognized_keys" ? unknownFields(issue, context) : [explain(issue, context)],
	);
}

function unknownFields(issue: z.core.$ZodIssueUnrecognizedKeys, context: Context): Finding[] {
	const path = issue.path as Path;
	const known = fieldNames(schemaAt(context.schema, path));
	return issue.keys.map((key) => {
		const meant = nearest(key, known);
		return {
			...base("unknown-field", context),
			message: `${field([...path, key])} is not a field of ${context.kind}`,
			where: context.document.locateKey([...path, key]),
			fix: meant === undefined ? `remove it; known here: ${known.join(", ")}` : `did you mean \`${meant}\`?`,
		};
	});
}

function explain(issue: Issue, context: Context): Finding {
	const path = issue.path as Path;
	const { found, value } = valueAt(context.document.value, path);
	if (!found || value === null)
		return {
			...base("missing-field", context),
			message: `${field(path)} is required`,
			where: context.document.locate(path),
			fix: `add ${expected(issue)}`,
		};
	const common = {
		where: context.document.locate(path),
		seen: isSensitive(context.kind, path) ? undefined : show(value),
	};
	if (issue.code === "invalid_type" || issue.code === "invalid_union")
		return {
			...base("wrong-type", context),
			...common,
			message: `${field(path)} must be ${expected(issue)}, not ${typeName(value)}`,
			fix: typeFix(issue, value),
		};
	return {
		...base("invalid-value", context),
		...common,
		message: `${field(path)} ${rule(issue)}`,
		fix: valueFix(issue, value),
	};
}

function base(code: string, context: Context) {
	return { code, severity: "error", subject: context.subject } as const;
}

function rule(issue: Issue): string {
	if (issue.code === "invalid_value") return `must be ${expected(issue)}`;
	if (issue.code === "too_small" && issue.origin === "string" && issue.minimum === 1)
		return "must not be empty";
	if (issue.code === "too_small") return `must be at least ${issue.minimum}${unit(issue.origin)}`;
	if (issue.code === "too_big") return `must be at most ${issue.maximum}${unit(issue.origin)}`;
	if (issue.code === "invalid_format" && issue.format === "base64") return "must be base64";
	if (issue.code === "invalid_format" && issue.format === "url") return "must be a URL";
	if (issue.code === "invalid_format" && issue.format === "datetime")
		return "must be a time such as 2026-01-31T12:00:00Z";
	return /^(Invalid|Expected)/.test(issue.message)
		? "does not have the form that is asked for"
		: issue.message;
}

function unit(origin: string): string {
	if (origin === "string") return " characters long";
	return origin === "array" ? " entries long" : "";
}

function expected(issue: Issue): string {
	if (issue.code === "invalid_value") {
		const values = issue.values.map((value) => (value === "" ? '""' : String(value)));
		return values.length === 1 ? `${values[0]}` : `one of ${values.join(", ")}`;
	}
	if (issue.code !== "invalid_type") return "a value";
	const names: Partial<Record<string, string>> = {
		string: "a text",
		boolean: "true or false",
		number: "a number",
		int: "a whole number",
		array: "a list",
		object: "a mapping",
		record: "a mapping",
	};
	return names[issue.expected] ?? "of another type";
}

function typeName(value: unknown): string {
	if (Array.isArray(value)) return "a list";
	if (typeof value === "number") return Number.isInteger(value) ? "a number" : "a fraction";
	return (
		{ string: "a text", boolean: "true or false", object: "a mapping" }[typeof value as string] ??
		"something else"
	);
}

function typeFix(issue: Issue, value: unknown): string {
	const wanted = issue.code === "invalid_type" ? issue.expected : undefined;
	if (wanted === "string" && ["number", "boolean"].includes(typeof value)) return "put the value in quotes";
	if (wanted === "boolean" && typeof value === "string") return "write true or false, without quotes";
	if ((wanted === "number" || wanted === "int") && typeof value === "string")
		return "write the number without quotes";
	return `write ${expected(issue)}`;
}

function valueFix(issue: Issue, value: unknown): string {
	if (issue.code === "invalid_value" && typeof value === "string") {
		const meant = nearest(value, issue.values.map(String));
		return meant === undefined ? "write one of these" : `did you mean ${meant}?`;
	}
	if (/MAC address/.test(issue.message) && typeof value === "string") {
		try {
			return `write ${parseMacAddress(value)}`;
		} catch {
			return "write it as six pairs of hexadecimal digits with colons";
		}
	}
	return "correct the value";
}

/** `spec.networking.dhcp.extraRanges[0].rangeEnd` in backticks. */
export function field(path: Path): string {
	const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
	return `\`${text.replace(/^\./, "") || "the object"}\``;
}

function show(value: unknown): string {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
	const short = text.length > 80 ? `${text.slice(0, 77)}…` : text;
	return redactUserinfo(short);
}

function valueAt(root: unknown, path: Path): { found: boolean; value: unknown } {
	let value = root;
	for (const step of path) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
			return { found: false, value: undefined };
		value = (value as Record<string | number, unknown>)[step];
	}
	return { found: true, value };
}

/** Peels wrappers (optional, default, transform …) off a schema and follows the path into it. */
function schemaAt(schema: z.core.$ZodType, path: Path): z.core.$ZodType {
	const inner = unwrap(schema);
	const [step, ...rest] = path;
	if (step === undefined) return inner;
	if (inner instanceof z.ZodObject) {
		const next = inner.shape[String(step)] as z.core.$ZodType | undefined;
		return next === undefined ? inner : schemaAt(next, rest);
	}
	if (inner instanceof z.ZodArray) return schemaAt(inner.element, rest);
	return inner;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
	if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return unwrap(schema.unwrap());
	return schema instanceof z.ZodPipe ? unwrap(schema.in) : schema;
}

function fieldNames(schema: z.core.$ZodType): string[] {
	return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
