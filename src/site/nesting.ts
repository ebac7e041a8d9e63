import { Lexer } from "yaml";

/** Levels of mappings and lists within each other; a Kubernetes object has about twenty at most. */
const MAX_DEPTH = 100;

/** Tokens that the lexer puts in between and that are not part of the text. */
const MARKERS: ReadonlySet<string> = new Set(["\uFEFF", "\u0002", "\u0018", "\u001F"]);

/**
 * The offset at which a text is nested more deeply than any manifest, or `undefined`. To be asked before parsing: the
 * parser calls itself once per level, and a stack that is full while V8 compiles a regular expression ends the whole
 * process instead of throwing.
 */
export function tooDeepAt(text: string): number | undefined {
	const columns: number[] = []; // of the block collections that are open
	let flow = 0;
	let offset = 0;
	let lineStart = 0;
	let isLineStart = true;
	for (const token of new Lexer().lex(text)) {
		if (MARKERS.has(token)) continue;
		const column = offset - lineStart;
		const isStructure = !/^[\s#]/.test(token) && token !== "";
		if (token === "[" || token === "{") flow++;
		else if ((token === "]" || token === "}") && flow > 0) flow--;
		else if (flow === 0 && isStructure && (isLineStart || token === "-" || token === "?")) {
			while ((columns.at(-1) ?? -1) >= column) columns.pop();
			columns.push(column);
		}
		if (flow + columns.length > MAX_DEPTH) return offset;
		if (isStructure) isLineStart = false;
		offset += token.length;
		if (token.includes("\n")) {
			lineStart = offset - (token.length - 1 - token.lastIndexOf("\n"));
			isLineStart = true;
		}
	}
	return undefined;
}
