import { IronstrapError } from "../lib/errors.ts";

/** Section → option → value, in the order in which they are written. */
export type IniSections = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * An oslo.config file. Values are literal: what oslo.config would read differently (`$` as a reference, quotes
 * around the whole value, space at the ends) is escaped, what it has no escape for (a line break) is refused.
 * https://docs.openstack.org/oslo.config/latest/configuration/format.html
 */
export function renderIni(sections: IniSections, purpose: string): string {
	const lines = [`# ${purpose} Written by ironstrap; changes are overwritten.`];
	for (const [section, options] of sections) {
		if (!/^[A-Za-z0-9_.:-]+$/.test(section)) throw refusal("a group", section, section);
		lines.push("", `[${section}]`);
		for (const [option, value] of options) {
			if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(option))
				throw refusal("an option", `${section}.${option}`, option);
			lines.push(`${option} = ${iniValue(value, `${section}.${option}`)}`);
		}
	}
	return `${lines.join("\n")}\n`;
}

function iniValue(value: string, option: string): string {
	if (hasControlCharacter(value)) throw refusal("the value of", option, value);
	// `$$` is a dollar sign; but `\\$` is one, too, so a backslash before a dollar sign is written in that way.
	const escaped = value.replace(/(\\)?\$/g, (_, backslash) => (backslash === undefined ? "$$" : "\\\\$"));
	// One pair of quotes around the whole value is taken away on reading, and space at the ends is cut.
	const quoted = /^(["']).*\1$/.test(escaped) || escaped !== escaped.trim();
	return quoted ? `"${escaped}"` : escaped;
}

export function hasControlCharacter(text: string): boolean {
	return [...text].some((character) => character < " " || character === "\u007f");
}

/** The value itself is not repeated: it may be a password. */
function refusal(what: string, option: string, seen: string): IronstrapError {
	const bad = [...seen].find(
		(character) => !/^[A-Za-z0-9_.:-]$/.test(character) && hasControlCharacter(character),
	);
	return new IronstrapError({
		code: "ironic-option-invalid",
		message: `${what} ${JSON.stringify(option)} cannot be written into Ironic's configuration file`,
		seen:
			bad === undefined ? undefined : `the character U+${bad.charCodeAt(0).toString(16).padStart(4, "0")}`,
		fix: "correct it in Ironic.spec.extraConfig (one line, names of letters, digits, `_`, `-`, `.`)",
	});
}
