import type { ErrorCode } from "yaml";
import type { SourceRef } from "../lib/errors.ts";
import type { Finding } from "./finding.ts";

type Fault = Pick<Finding, "code" | "message" | "fix">;

const SYNTAX: Fault = {
	code: "yaml-syntax",
	message: "this is not valid YAML",
	fix: "check quotes, brackets and colons on this line and the one before",
};

const INDENT: Fault = {
	code: "yaml-indent",
	message: "the indentation does not fit the lines above, or a bracket is not closed",
	fix: "give all keys of one mapping the same indentation, with spaces",
};

const ALIAS: Fault = {
	code: "yaml-alias",
	message: "an alias (`*name`) cannot be used as it is here",
	fix: "write the value out; aliases must name an anchor above them and may not multiply",
};

/** Our own words for the parser's complaints: its own messages quote the text, which may be a password. */
const FAULTS: Readonly<Partial<Record<ErrorCode, Fault>>> = {
	TAB_AS_INDENT: {
		code: "yaml-tab",
		message: "a tab is used as indentation, which YAML does not allow",
		fix: "replace tabs at the start of lines by spaces",
	},
	BAD_INDENT: INDENT,
	BLOCK_IN_FLOW: INDENT,
	MULTILINE_IMPLICIT_KEY: INDENT,
	BAD_ALIAS: ALIAS,
	ALIAS_PROPS: ALIAS,
	MULTIPLE_ANCHORS: ALIAS,
	TAG_RESOLVE_FAILED: {
		code: "yaml-tag",
		message: "a YAML tag (`!name`) is used that manifests do not have",
		fix: "remove the tag; write text in quotes",
	},
	RESOURCE_EXHAUSTION: {
		code: "yaml-too-deep",
		message: "the text is nested too deeply to be a manifest",
		fix: "check for a run of brackets that are never closed",
	},
	MISSING_CHAR: {
		code: "yaml-syntax",
		message: "a quote, bracket, comma or colon is missing here",
		fix: "check quotes, brackets and colons on this line and the one before",
	},
	BAD_DQ_ESCAPE: {
		code: "yaml-syntax",
		message: "a backslash sequence in double quotes is not known",
		fix: "use single quotes, or double the backslash",
	},
};

export function yamlFault(code: ErrorCode, where: SourceRef): Finding {
	return { ...(FAULTS[code] ?? SYNTAX), severity: "error", where };
}
