import {
	type Document,
	isAlias,
	isMap,
	isNode,
	isScalar,
	isSeq,
	type LineCounter,
	type Node,
	type Pair,
} from "yaml";
import type { SourceRef } from "../lib/errors.ts";

export type Path = readonly (string | number)[];

/** One object of a text, as plain JavaScript values (`null` where the text says so), with the way back to the text. */
export interface SourceDocument {
	readonly file: string;
	readonly value: unknown;
	/**
	 * Where the value at this path stands: a scalar itself, the key of anything larger. If the path does not exist,
	 * the place of its nearest existing parent.
	 */
	readonly locate: (path: Path) => SourceRef;
	/** Where the last key of this path stands, for complaints about the key itself. */
	readonly locateKey: (path: Path) => SourceRef;
}

/** `base` leads to the object within the YAML document (an entry of a `List`). */
export function sourceDocument(
	file: string,
	value: unknown,
	document: Document,
	lines: LineCounter,
	base: Path = [],
): SourceDocument {
	const place = (offset: number | undefined): SourceRef => {
		const { line, col } = lines.linePos(offset ?? 0);
		return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
	};
	const find = (path: Path) => walk(document, [...base, ...path]);
	return {
		file,
		value,
		locate: (path) => {
			const { key, node } = find(path);
			return place(isScalar(node) || isAlias(node) ? start(node) : (start(key) ?? start(node)));
		},
		locateKey: (path) => {
			const { key, node } = find(path);
			return place(start(key) ?? start(node));
		},
	};
}

interface Spot {
	readonly key: Node | undefined;
	readonly node: Node | undefined;
}

/** Follows the path as far as it exists, through aliases and merged maps. */
function walk(document: Document, path: Path): Spot {
	let spot: Spot = { key: firstKey(document.contents), node: document.contents ?? undefined };
	for (const step of path) {
		const next = child(document, spot.node, step, 0);
		if (!next) return spot;
		spot = next;
	}
	return spot;
}

function child(
	document: Document,
	parent: Node | undefined,
	step: string | number,
	depth: number,
): Spot | undefined {
	const node = isAlias(parent) ? parent.resolve(document) : parent;
	if (isSeq(node)) {
		const item = node.items[Number(step)];
		return isNode(item) ? { key: firstKey(item) ?? item, node: item } : undefined;
	}
	if (!isMap(node)) return undefined;
	const pair = node.items.find(({ key }) => keyText(key) === String(step));
	if (pair && isNode(pair.key)) return { key: pair.key, node: isNode(pair.value) ? pair.value : pair.key };
	if (depth > 20) return undefined;
	for (const source of mergeSources(node.items)) {
		const found = child(document, source, step, depth + 1);
		if (found) return found;
	}
	return undefined;
}

/** What `<<: *anchor` and `<<: [*a, *b]` bring in. */
function mergeSources(items: readonly Pair[]): Node[] {
	return items
		.filter(({ key }) => keyText(key) === "<<")
		.flatMap(({ value }) => (isSeq(value) ? value.items : [value]))
		.filter(isNode);
}

function keyText(key: unknown): string | undefined {
	if (!isScalar(key)) return undefined;
	return typeof key.value === "symbol" ? key.value.description : String(key.value);
}

function firstKey(node: unknown): Node | undefined {
	const key = isMap(node) ? node.items[0]?.key : undefined;
	return isNode(key) ? key : undefined;
}

function start(node: Node | undefined): number | undefined {
	return node?.range?.[0];
}
