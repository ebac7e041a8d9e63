import type { Finding } from "./finding.ts";
import { type ParsedText, parseDocuments } from "./parse.ts";

/** Bytes → documents; text that is not UTF-8 is a finding at the first wrong character. */
export function parseBytes(bytes: Uint8Array, file: string): ParsedText {
	try {
		return parseDocuments(new TextDecoder("utf-8", { fatal: true }).decode(bytes), file);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
	}
	const upToFault = new TextDecoder("utf-8").decode(bytes).split("\uFFFD")[0] ?? "";
	const lines = upToFault.split("\n");
	const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	const finding: Finding = {
		code: "not-utf8",
		severity: "error",
		message: `the text is ${isUtf16 ? "UTF-16" : "not UTF-8"}`,
		where: { file, line: lines.length, column: (lines.at(-1) ?? "").length + 1 },
		fix: "save the file as UTF-8",
	};
	return { documents: [], findings: [finding] };
}
