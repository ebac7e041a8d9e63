import { styleText } from "node:util";
import type { IronstrapError } from "../../lib/errors.ts";

/**
 * A fault in up to four lines: place and message, what it is about, what was seen, what to do.
 * Colours follow the terminal and `NO_COLOR` when `colour` is set.
 */
export function faultText(
	{ code, message, where, subject, seen, fix }: IronstrapError,
	colour: boolean,
): string {
	const paint = (style: "red" | "dim" | "bold", text: string) => (colour ? styleText(style, text) : text);
	const place = where === undefined ? "" : `${where.file}:${where.line}:${where.column}: `;
	const lines = [`${paint("red", "error")}: ${place}${paint("bold", message)} ${paint("dim", `[${code}]`)}`];
	if (subject !== undefined) lines.push(`  about: ${subject}`);
	if (seen !== undefined) lines.push(`  seen:  ${seen.trimEnd().replaceAll("\n", "\n         ")}`);
	if (fix !== undefined) lines.push(`  fix:   ${fix}`);
	return lines.join("\n");
}
