import { type Document, isMap, isScalar, LineCounter, parseAllDocuments, visit } from "yaml";
import type { SourceRef } from "../lib/errors.ts";
import { type SourceDocument, sourceDocument } from "./document.ts";
import type { Finding } from "./finding.ts";
import { tooDeepAt } from "./nesting.ts";
import { ambiguousWords } from "./yaml-ambiguous.ts";
import { yamlFault } from "./yaml-faults.ts";

export interface ParsedText {
	readonly documents: readonly SourceDocument[];
	readonly findings: readonly Finding[];
}

/** Characters of one text; an API server takes objects of up to 1.5 MB. */
export const MAX_TEXT_LENGTH = 8 * 1024 * 1024;

/** How many values aliases may add up to before it is taken for an attack ("billion laughs"). */
const MAX_ALIASES = 100;

/** After so many faults of one document the rest are consequences of the first. */
const MAX_FAULTS = 20;

/**
 * Reads YAML (several documents) or JSON into plain values with positions. Never throws: whatever is wrong with the
 * text is a finding with file, line and column. No message quotes the text, because it may be a password.
 */
export function parseDocuments(text: string, file: string): ParsedText {
	if (text.length > MAX_TEXT_LENGTH) {
		const message = "the text is longer than 8 MiB, which no manifest is";
		const fix = "pass the manifests only; split them into several files";
		return {
			documents: [],
			findings: [{ ...error("text-too-long", message, { file, line: 1, column: 1 }), fix }],
		};
	}
	const deep = tooDeepAt(text);
	if (deep !== undefined) return { documents: [], findings: [tooDeep(placeOf(text, file, deep))] };
	const lines = new LineCounter();
	// prettyErrors would copy the offending line, secrets included, into the message. uniqueKeys compares each key
	// with each other key, which takes minutes on a hostile text: duplicates are looked for below instead.
	const parsed = parseAllDocuments(text, {
		lineCounter: lines,
		prettyErrors: false,
		uniqueKeys: false,
		merge: true,
		logLevel: "silent",
	});
	const results = (Array.isArray(parsed) ? parsed : []).map((document) =>
		readDocument(document, lines, file),
	);
	return {
		documents: results.flatMap(({ documents }) => documents),
		findings: results.flatMap(({ findings }) => findings),
	};
}

function readDocument(document: Document, lines: LineCounter, file: string): ParsedText {
	const place = (offset: number): SourceRef => {
		const { line, col } = lines.linePos(offset);
		return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
	};
	const faults = [...document.errors, ...document.warnings].slice(0, MAX_FAULTS);
	if (faults.length > 0)
		return { documents: [], findings: faults.map(({ code, pos }) => yamlFault(code, place(pos[0]))) };
	const duplicates = duplicateKeys(document, place).slice(0, MAX_FAULTS);
	if (duplicates.length > 0) return { documents: [], findings: duplicates };
	const alias = badAlias(document);
	const plain = alias === undefined ? toPlain(document) : undefined;
	if (!plain) {
		const where = place(alias ?? document.contents?.range?.[0] ?? 0);
		return { documents: [], findings: [yamlFault("BAD_ALIAS", where)] };
	}
	if (plain.value === null) return { documents: [], findings: [] }; // comments between two `---`
	const whole = sourceDocument(file, plain.value, document, lines);
	return { documents: expandList(whole, document, lines), findings: ambiguousWords(document, place) };
}

/** `undefined` if aliases multiply: `toJS` throws for nothing else. */
function toPlain(document: Document): { readonly value: unknown } | undefined {
	try {
		return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
	} catch {
		return undefined;
	}
}

/** Where an alias stands that has no anchor before it, or that is within its own anchor and so never ends. */
function badAlias(document: Document): number | undefined {
	const anchors = new Map<string, unknown>();
	let offset: number | undefined;
	visit(document, {
		Value(_, node) {
			if (node.anchor !== undefined) anchors.set(node.anchor, node);
		},
		Alias(_, alias, path) {
			const target = anchors.get(alias.source);
			if (target !== undefined && !path.some((parent) => parent === target)) return undefined;
			offset = alias.range?.[0] ?? 0;
			return visit.BREAK;
		},
	});
	return offset;
}

/** `kubectl get -o yaml` prints several objects as one `List`. */
function expandList(whole: SourceDocument, document: Document, lines: LineCounter): SourceDocument[] {
	const value = whole.value as { kind?: unknown; items?: unknown } | undefined;
	if (typeof value?.kind !== "string" || !value.kind.endsWith("List") || !Array.isArray(value.items))
		return [whole];
	return value.items.map((item, index) =>
		sourceDocument(whole.file, item, document, lines, ["items", index]),
	);
}

function duplicateKeys(document: Document, place: (offset: number) => SourceRef): Finding[] {
	const findings: Finding[] = [];
	visit(document, {
		Map(_, map) {
			if (!isMap(map)) return;
			const seen = new Map<string, SourceRef>();
			for (const { key } of map.items) {
				if (!isScalar(key)) continue;
				const name = typeof key.value === "symbol" ? "<<" : String(key.value);
				const where = place(key.range?.[0] ?? 0);
				const first = seen.get(name);
				if (first === undefined) seen.set(name, where);
				else
					findings.push({
						...error("yaml-duplicate-key", `the key ${JSON.stringify(name)} is given twice`, where),
						fix: `remove one of the two; the first is on line ${first.line}`,
					});
			}
		},
	});
	return findings;
}

function placeOf(text: string, file: string, offset: number): SourceRef {
	const before = text.slice(0, offset).split("\n");
	return { file, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function tooDeep(where: SourceRef): Finding {
	return {
		...error("yaml-too-deep", "the text is nested too deeply to be a manifest", where),
		fix: "check for a run of brackets that are never closed",
	};
}

function error(code: string, message: string, where: SourceRef): Finding {
	return { code, severity: "error", message, where };
}
