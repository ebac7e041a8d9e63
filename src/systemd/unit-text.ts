/** A line `Key=value` of a unit; a list, because order and repetition mean something. */
export type UnitLine = readonly [key: string, value: string];

export interface UnitSection {
	readonly name: "Unit" | "Container" | "Service" | "Install";
	readonly lines: readonly UnitLine[];
}

/** The text of a unit file. https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html */
export function unitText(comment: string, sections: readonly UnitSection[]): string {
	const blocks = sections.map(
		({ lines, name }) => `[${name}]\n${lines.map(([key, value]) => `${key}=${value}\n`).join("")}`,
	);
	return `# ${comment}\n\n${blocks.join("\n")}`;
}

/** A value that systemd takes as it is: no specifier (`%`) and no variable (`$`) in it is expanded. */
export function literal(value: string): string {
	return value.replaceAll("%", "%%").replaceAll("$", "$$$$");
}

/** One word of a command line or of a list of words; quoted only where it must be. */
export function word(value: string): string {
	const text = literal(value);
	if (/^[\w@%+=:,./$-]+$/.test(text)) return text;
	return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}

export function words(values: readonly string[]): string {
	return values.map(word).join(" ");
}
