/** Rows of each table, by the table's name. */
export type Rows = Readonly<Record<string, number>>;

/**
 * Counts the rows in a dump by mariadb-dump, which writes `INSERT INTO` a table and then each row on a line of its own;
 * line breaks within values are written as `\n`. Tables without rows count, too.
 */
export async function countDumpedRows(lines: AsyncIterable<string>): Promise<Rows> {
	const rows: Record<string, number> = {};
	let table: string | undefined;
	for await (const line of lines) {
		const created = /^CREATE TABLE (?:IF NOT EXISTS )?`([^`]+)`/.exec(line)?.[1];
		if (created !== undefined) rows[created] = 0;
		const into = /^INSERT INTO `([^`]+)` VALUES(.*)$/s.exec(line);
		if (into !== null) table = into[1];
		const isRow = line.startsWith("(") || (into?.[2] ?? "").trimStart().startsWith("(");
		if (table !== undefined && isRow) rows[table] = (rows[table] ?? 0) + 1;
		if (line.endsWith(";")) table = undefined;
	}
	return rows;
}

/** `TABLE<tab>COUNT` a line. */
export function parseRows(text: string): Rows {
	const lines = text.split("\n").filter((line) => line !== "");
	return Object.fromEntries(
		lines.map((line) => {
			const [table = "", count] = line.split("\t");
			return [table, Number(count)];
		}),
	);
}

/** `nodes: 3, not 5`, for each table whose number differs; a table that is nowhere has no rows. */
export function differingRows(wanted: Rows, found: Rows): readonly string[] {
	const tables = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].sort();
	return tables
		.filter((table) => (wanted[table] ?? 0) !== (found[table] ?? 0))
		.map((table) => `${table}: ${found[table] ?? 0}, not ${wanted[table] ?? 0}`);
}
