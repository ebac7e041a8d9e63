import { parseAllDocuments } from "yaml";
import type { Imported, Remark } from "../../src/site/import/imported.ts";
import { manifestsOf } from "../../src/site/import/manifests.ts";

/** `missing 2:5 cp-0 password: no BMC password`. */
export function remarkLines(remarks: readonly Remark[]): string[] {
	return remarks.map(
		({ field, host, kind, note, where }) =>
			`${kind} ${where ? `${where.line}:${where.column}` : "-"} ${host ?? "-"} ${field}: ${note}`,
	);
}

/** The objects of the manifests that an import makes, by file, and everything that is said about it. */
export function written(imported: Imported) {
	const { files, findings, remarks } = manifestsOf(imported, "metal3");
	const objects = (name: string): unknown[] =>
		parseAllDocuments(files.find((file) => file.name === name)?.text ?? "").map(
			(document) => document.toJS() as unknown,
		);
	return {
		files,
		remarks,
		ironic: objects("ironic.yaml"),
		hosts: objects("hosts.yaml"),
		secrets: objects("secrets.yaml"),
		findings: findings.map(({ code, severity }) => `${severity} ${code}`),
	};
}
