/** Columns as wide as their widest cell, three spaces between, as kubectl prints them. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
	const all = [header, ...rows];
	const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
	return all
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("   ")
				.trimEnd(),
		)
		.join("\n");
}
