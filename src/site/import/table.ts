import { parseIpAddress } from "../../resources/ip.ts";
import { parseMacAddress } from "../../resources/mac-address.ts";
import { type Column, columnOf } from "./columns.ts";
import { type Cell, parseTable } from "./csv.ts";
import { collectRemarks, type Imported, type Say } from "./imported.ts";
import { hostOfRow, type Row } from "./row.ts";

/** How a table's first line is to be understood. */
export interface TableFormat {
	readonly columnOf: (header: string) => Column | undefined;
	/** Columns without which the table is not of this format. */
	readonly required: readonly Column[];
}

/** Any table: header names are guessed, in English or German; without a header the columns are, from their values. */
const ANY_TABLE: TableFormat = { columnOf, required: [] };

/** CSV or TSV with one host a line. `file` is the name for messages. */
export function importTable(text: string, file: string, format: TableFormat = ANY_TABLE): Imported {
	const { remarks, say } = collectRemarks();
	const table = parseTable(text, file);
	const [first, ...rest] = table.rows;
	if (table.openQuote !== undefined)
		say({
			kind: "wrong",
			where: table.openQuote,
			field: "line",
			note: "a quote is opened here and never closed: all that follows was read as one value",
		});
	if (first === undefined) {
		say({ kind: "wrong", where: { file, line: 1, column: 1 }, field: "line", note: "the file has no lines" });
		return { hosts: [], remarks };
	}
	const named = first.map(({ text: header }) => format.columnOf(header));
	const hasHeader =
		format.required.length > 0 || named.some((column) => column === "mac" || column === "address");
	const lacking = format.required.filter((column) => !named.includes(column));
	if (lacking.length > 0) {
		const note = `the first line has no column for ${lacking.join(", ")}: this is not the format that was asked for`;
		say({ kind: "wrong", where: first[0]?.where, field: "header", note });
		return { hosts: [], remarks };
	}
	const columns = hasHeader ? headerColumns(first, named, say) : guessedColumns(table.rows, say);
	if (!columns.includes("mac") && !columns.includes("address")) {
		const note = "neither MAC addresses nor BMC addresses are recognised: name the columns `mac` and `bmc`";
		say({ kind: "wrong", where: first[0]?.where, field: "header", note });
		return { hosts: [], remarks };
	}
	const lines = hasHeader ? rest : table.rows;
	if (lines.length === 0)
		say({ kind: "wrong", where: first[0]?.where, field: "line", note: "there are no lines below the first" });
	const hosts = lines.flatMap((cells, index) => {
		const where = cells[0]?.where ?? { file, line: 1, column: 1 };
		const extra = cells.slice(columns.length).find((cell) => cell.text !== "");
		if (extra !== undefined) {
			// which value is one too many cannot be told, and the wrong password for a BMC locks it
			const note = `more values than the first line has (${columns.length}): put values that contain the delimiter in quotes; the line is left out`;
			say({ kind: "wrong", where: extra.where, field: "line", note });
			return [];
		}
		const row = rowOf(cells, columns);
		const name = row.name?.text ?? `host-${index + 1}`;
		if (row.name === undefined)
			say({
				kind: "inferred",
				where,
				host: name,
				field: "name",
				note: `the host has no name: ${name} is taken`,
			});
		return [hostOfRow(row, name, where, say)];
	});
	return { hosts, remarks };
}

/** What each column is about; the second of two that are about the same is not taken. */
function headerColumns(first: readonly Cell[], named: readonly (Column | undefined)[], say: Say) {
	return first.map(({ text, where }, index): Column | undefined => {
		const column = named[index];
		const field = text === "" ? `column ${index + 1}` : text;
		if (column === undefined) {
			say({ kind: "left-out", where, field, note: "this column's name is not known" });
			return undefined;
		}
		if (named.indexOf(column) < index) {
			const other = first[named.indexOf(column)]?.text ?? "";
			say({ kind: "left-out", where, field, note: `about the same as the column ${other}, which is taken` });
			return undefined;
		}
		say({ kind: "taken", where, field, note: `as ${column}` });
		return column;
	});
}

/** Without a header only what can be told by its form is found: MAC addresses, then BMC addresses, then names. */
function guessedColumns(rows: readonly (readonly Cell[])[], say: Say): (Column | undefined)[] {
	const width = Math.max(...rows.map((row) => row.length));
	const values = Array.from({ length: width }, (_, index) =>
		rows.map((row) => row[index]?.text ?? "").filter((text) => text !== ""),
	);
	const found: (Column | undefined)[] = Array.from({ length: width });
	const take = (column: Column, matches: (text: string) => boolean) => {
		const index = values.findIndex(
			(texts, at) => found[at] === undefined && texts.length > 0 && texts.every(matches),
		);
		if (index === -1) return;
		found[index] = column;
		say({
			kind: "inferred",
			where: firstPlace(rows, index),
			field: `column ${index + 1}`,
			note: `as ${column}, from its values`,
		});
	};
	take("mac", (text) => succeeds(() => parseMacAddress(text)));
	take("address", (text) => /^[a-z+-]+:\/\//i.test(text) || succeeds(() => parseIpAddress(text)));
	take("name", (text) => /^[a-z][a-z0-9.-]*\d[a-z0-9.-]*$/i.test(text));
	for (const [index, column] of found.entries())
		if (column === undefined && (values[index] ?? []).length > 0)
			say({
				kind: "left-out",
				where: firstPlace(rows, index),
				field: `column ${index + 1}`,
				note: "what it is about cannot be told: give the table a first line with names",
			});
	return found;
}

function firstPlace(rows: readonly (readonly Cell[])[], index: number) {
	return rows.find((row) => (row[index]?.text ?? "") !== "")?.[index]?.where;
}

function rowOf(cells: readonly Cell[], columns: readonly (Column | undefined)[]): Row {
	const pairs = columns.flatMap((column, index) => {
		const cell = cells[index];
		if (column === undefined || cell === undefined) return [];
		const text = unwrapFormula(cell.text);
		return text === "" ? [] : [[column, { ...cell, text }] as const];
	});
	return Object.fromEntries(pairs);
}

/** `="001122334455"`: how spreadsheets are kept from taking a text for a number. */
function unwrapFormula(text: string): string {
	return /^="(.*)"$/s.exec(text)?.[1] ?? text;
}

function succeeds(parse: () => unknown): boolean {
	try {
		parse();
		return true;
	} catch {
		return false;
	}
}
