import type { ImportResult } from "../../lifecycle/import.ts";
import type { Remark } from "../../site/import/imported.ts";
import { findingText } from "../render/finding.ts";
import { table } from "../render/table.ts";

/** What needs a person comes first. */
const ORDER: readonly Remark["kind"][] = ["wrong", "missing", "inferred", "left-out", "taken"];

/** The report as a table, what the linter says about the result, and what to do next. */
export function reportText({ files, findings, hosts, report }: ImportResult, directory: string): string {
	const sorted = ORDER.flatMap((kind) => report.filter((remark) => remark.kind === kind));
	const rows = sorted.map(({ field, host, kind, note, where }) => [
		kind,
		where === undefined ? "" : `${where.file}:${where.line}:${where.column}`,
		host ?? "",
		field,
		note,
	]);
	const errors = findings.filter(({ severity }) => severity === "error");
	return [
		...(rows.length === 0
			? []
			: [table(["WHAT", "WHERE", "HOST", "FIELD", "NOTE"], rows).replace(/[^\S\n]+$/gm, ""), ""]),
		`${hosts} ${hosts === 1 ? "host" : "hosts"} written to ${files.join(", ")}`,
		...(findings.length === 0
			? []
			: ["", "the linter says:", ...findings.map((finding) => `  ${findingText(finding)}`)]),
		"",
		errors.length === 0
			? `next: \`ironstrap lint -f ${directory}\``
			: `next: put right what is said above, then \`ironstrap lint -f ${directory}\``,
	].join("\n");
}
