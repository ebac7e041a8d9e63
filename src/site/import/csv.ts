import type { SourceRef } from "../../lib/errors.ts";

/** One value of a table, with the place where it starts. */
export interface Cell {
	readonly text: string;
	readonly where: SourceRef;
}

export interface Table {
	readonly delimiter: Delimiter;
	/** Rows that have at least one value; empty lines and lines of delimiters alone are gone. */
	readonly rows: readonly (readonly Cell[])[];
	/** Where a quote was opened that is never closed: everything after it is in that one value. */
	readonly openQuote: SourceRef | undefined;
}

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * Reads CSV (RFC 4180: `""` within quotes, line ends within quotes), whatever its delimiter; lines may end in LF, CRLF
 * or CR. Excel's own first line, `sep=;`, is obeyed. Values are trimmed unless quoted. Never throws.
 */
export function parseTable(text: string, file: string): Table {
	const separator = /^sep=([,;\t|])(?:\r\n|\r|\n|$)/i.exec(text);
	const skipped = separator?.[0].length ?? 0;
	const delimiter = (separator?.[1] as Delimiter | undefined) ?? guessDelimiter(text);
	return { delimiter, ...readRows(text, file, delimiter, skipped) };
}

/** The delimiter that splits the first rows into the same number of values, more than one; a comma if none does. */
function guessDelimiter(text: string): Delimiter {
	const head = text.slice(0, 64 * 1024);
	const scores = DELIMITERS.map((delimiter) => {
		const counts = readRows(head, "", delimiter, 0)
			.rows.slice(0, 20)
			.map((row) => row.length);
		const width = Math.max(0, counts[0] ?? 0);
		const same = counts.filter((count) => count === width).length / Math.max(1, counts.length);
		return { delimiter, score: width > 1 ? same * 1000 + Math.min(width, 500) : 0 };
	});
	const best = Math.max(...scores.map(({ score }) => score));
	return scores.find(({ score }) => score === best)?.delimiter ?? ",";
}

function readRows(text: string, file: string, delimiter: string, from: number): Omit<Table, "delimiter"> {
	const rows: Cell[][] = [];
	let row: Cell[] = [];
	let [at, line, lineStart] = [from, from > 0 ? 2 : 1, from];
	let openQuote: SourceRef | undefined;
	const endRow = () => {
		if (row.some((cell) => cell.text !== "")) rows.push(row);
		row = [];
	};
	const countLines = (start: number, end: number) => {
		for (const match of text.slice(start, end).matchAll(/\r\n|\r|\n/g)) {
			line++;
			lineStart = start + match.index + match[0].length;
		}
	};
	while (at < text.length) {
		while (text[at] === " " || (text[at] === "\t" && delimiter !== "\t")) at++;
		const where = { file, line, column: at - lineStart + 1 };
		let value: string;
		if (text[at] === '"') {
			const end = closingQuote(text, at + 1);
			if (end === undefined) openQuote ??= where;
			const stop = end ?? text.length;
			value = text.slice(at + 1, stop).replaceAll('""', '"');
			countLines(at, stop);
			at = stop + 1;
			const rest = upToBreak(text, at, delimiter);
			value += text.slice(at, rest).trimEnd();
			at = Math.max(at, rest);
		} else {
			const end = upToBreak(text, at, delimiter);
			value = text.slice(at, end).trim();
			at = end;
		}
		row.push({ text: value, where });
		if (text[at] === delimiter) {
			at++;
			// a delimiter at the very end of a text is followed by one more, empty, value: of no interest
			continue;
		}
		if (at >= text.length) break;
		endRow();
		at += text.startsWith("\r\n", at) ? 2 : 1;
		line++;
		lineStart = at;
	}
	endRow();
	return { rows, openQuote };
}

/** The index of the quote that ends a value; two quotes in a row are one that belongs to it. */
function closingQuote(text: string, from: number): number | undefined {
	for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
		if (text[at + 1] !== '"') return at;
	return undefined;
}

function upToBreak(text: string, from: number, delimiter: string): number {
	let at = from;
	while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++;
	return at;
}
