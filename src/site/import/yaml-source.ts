import type { SourceRef } from "../../lib/errors.ts";
import type { SourceDocument } from "../document.ts";
import { parseDocuments } from "../parse.ts";
import { collectRemarks, type Imported, type Say } from "./imported.ts";

/** A value of a YAML or JSON source, with the way back to the text. */
export interface Spot {
	readonly value: unknown;
	readonly where: SourceRef;
	readonly path: readonly (string | number)[];
	readonly at: (path: readonly (string | number)[]) => SourceRef;
}

/**
 * Reads YAML or JSON (trailing commas are forgiven) and has `read` make hosts of each document. What is wrong with
 * the text itself becomes remarks.
 */
export function importYaml(
	text: string,
	file: string,
	read: (document: SourceDocument, say: Say) => Omit<Imported, "remarks">,
): Imported {
	const { remarks, say } = collectRemarks();
	const { documents, findings } = parseDocuments(text, file);
	for (const { fix, message, severity, where } of findings)
		if (severity === "error") say({ kind: "wrong", where, field: "text", note: `${message}; ${fix}` });
	if (documents.length === 0 && remarks.length === 0)
		say({ kind: "wrong", where: { file, line: 1, column: 1 }, field: "text", note: "the file is empty" });
	const parts = documents.map((document) => read(document, say));
	const ironic = parts.find((part) => part.ironic !== undefined)?.ironic;
	return { hosts: parts.flatMap(({ hosts }) => hosts), ironic, remarks };
}

export function spotOf(document: SourceDocument, value: unknown, path: readonly (string | number)[]): Spot {
	return {
		value,
		path,
		where: document.locate(path),
		at: (below) => document.locate([...path, ...below]),
	};
}

/** The entries of a list, or the values of a mapping; nothing if it is neither. */
export function entriesOf(
	document: SourceDocument,
	{ path, value }: Spot,
): (Spot & { readonly key: string | number })[] {
	if (Array.isArray(value))
		return value.map((inner, index) => ({ ...spotOf(document, inner, [...path, index]), key: index }));
	return Object.entries(mappingOf(value)).map(([key, inner]) => ({
		...spotOf(document, inner, [...path, key]),
		key,
	}));
}

export function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
	return isMapping(value) ? value : {};
}

export function isMapping(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
