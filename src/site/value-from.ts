import { z } from "zod";
import type { Path, SourceDocument } from "./document.ts";
import type { Finding } from "./finding.ts";

/** Where the value of one key of a Secret is taken from when the site is loaded. */
export type ValueSource = { readonly file: string } | { readonly env: string };

/** One entry of a Secret's `valueFrom`, with the document it stands in. */
export interface ValueRequest {
	readonly document: SourceDocument;
	readonly key: string;
	readonly source: ValueSource;
}

export interface ValueRequests {
	readonly requests: readonly ValueRequest[];
	readonly findings: readonly Finding[];
}

/** Exactly one of the two. The name of a variable is that of POSIX: an `=` or a blank in it is a typing error. */
const sourceSchema = z.union([
	z.strictObject({ file: z.string().regex(/^[^\0]+$/) }),
	z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
]);

/**
 * What the `valueFrom` of a Secret asks for (our extension to Secret manifests): `valueFrom: {password: {file:
 * bmc-password}}` or `{env: BMC_PASSWORD}`. Pure: nothing is read here. No entry for any other document.
 */
export function valueRequests(document: SourceDocument): ValueRequests {
	const secret = secretWithSources(document);
	if (secret === undefined) return { requests: [], findings: [] };
	const refuse = (path: Path, code: string, message: string, fix: string): ValueRequests => ({
		requests: [],
		findings: [
			{ code, severity: "error", message, where: document.locate(path), subject: secret.subject, fix },
		],
	});
	const EXAMPLE = "write `valueFrom: {KEY: {file: PATH}}` or `valueFrom: {KEY: {env: NAME}}`";
	if (!isMapping(secret.valueFrom))
		return refuse(["valueFrom"], "value-from-invalid", "`valueFrom` is not a mapping of keys", EXAMPLE);
	const parts = Object.entries(secret.valueFrom).map(([key, written]): ValueRequests => {
		const path = ["valueFrom", key];
		const source = sourceSchema.safeParse(written);
		if (!source.success)
			return refuse(
				path,
				"value-from-invalid",
				`\`valueFrom.${key}\` is neither a file nor a variable`,
				EXAMPLE,
			);
		const rival = ["data", "stringData"].find((part) => Object.hasOwn(mapping(secret[part]), key));
		if (rival !== undefined)
			return refuse(
				path,
				"value-from-twice",
				`the key ${JSON.stringify(key)} is in \`valueFrom\` and in \`${rival}\``,
				"keep one of the two",
			);
		return { requests: [{ document, key, source: source.data }], findings: [] };
	});
	return {
		requests: parts.flatMap(({ requests }) => requests),
		findings: parts.flatMap(({ findings }) => findings),
	};
}

/**
 * The Secret as Kubernetes knows it: the values in `stringData`, `valueFrom` gone. A value still stands where its
 * source was written.
 */
export function withValues(document: SourceDocument, values: ReadonlyMap<string, string>): SourceDocument {
	const { valueFrom: _, ...rest } = mapping(document.value);
	const stringData = { ...mapping(rest.stringData), ...Object.fromEntries(values) };
	const origin = (path: Path): Path =>
		path[0] === "stringData" && values.has(String(path[1])) ? ["valueFrom", ...path.slice(1)] : path;
	return {
		...document,
		value: { ...rest, stringData },
		locate: (path) => document.locate(origin(path)),
		locateKey: (path) => document.locateKey(origin(path)),
	};
}

export function variableMissing(request: ValueRequest, name: string): Finding {
	return about(request, "value-env-missing", "error", {
		message: `the environment variable ${name} is not set, or empty`,
		fix: `export ${name} before you run ironstrap`,
	});
}

export function fileUnreadable(request: ValueRequest, path: string, why: string): Finding {
	return about(request, "value-file-unreadable", "error", {
		message: `${path} cannot be read`,
		seen: why,
		fix: "check path and permissions; a path is relative to the manifest's folder",
	});
}

export function fileExposed(request: ValueRequest, path: string): Finding {
	return about(request, "value-file-exposed", "warning", {
		message: `every user of this machine can read ${path}`,
		fix: `chmod 600 ${path}`,
	});
}

function about(
	{ document, key, source }: ValueRequest,
	code: string,
	severity: Finding["severity"],
	rest: Pick<Finding, "message" | "seen" | "fix">,
): Finding {
	const where = document.locate(["valueFrom", key, "file" in source ? "file" : "env"]);
	return { code, severity, where, ...rest };
}

function secretWithSources(document: SourceDocument) {
	const value = mapping(document.value);
	if (value.kind !== "Secret" || value.apiVersion !== "v1" || !Object.hasOwn(value, "valueFrom"))
		return undefined;
	const { name, namespace } = mapping(value.metadata);
	const subject = `Secret ${typeof namespace === "string" ? namespace : "default"}/${typeof name === "string" ? name : "?"}`;
	return { ...value, valueFrom: value.valueFrom, subject } as Record<string, unknown> & { subject: string };
}

function mapping(value: unknown): Record<string, unknown> {
	return isMapping(value) ? value : {};
}

function isMapping(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
