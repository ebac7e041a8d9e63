import { Document, visit } from "yaml";

/** Octal numbers of YAML 1.2, which 1.1 takes for a text. */
const OCTAL_1_2 = /^[-+]?0o[0-7]+$/;

/**
 * One YAML document (with its `---`) that YAML 1.1 (kubectl) and YAML 1.2 (we) read as the same value. `comments` are
 * lines in front of it; characters that a comment cannot have are replaced.
 */
export function documentText(value: unknown, comments: readonly string[] = []): string {
	const document = new Document(value, { version: "1.1", aliasDuplicateObjects: false });
	visit(document, {
		Scalar(_, node) {
			if (typeof node.value === "string" && OCTAL_1_2.test(node.value)) node.type = "QUOTE_DOUBLE";
		},
	});
	const head = comments.map((text) => `# ${text.replace(/[^\x20-\x7e]/g, "?")}\n`).join("");
	return `---\n${head}${document.toString({ lineWidth: 0 })}`;
}
