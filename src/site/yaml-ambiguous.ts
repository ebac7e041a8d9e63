import { type Document, isScalar, visit } from "yaml";
import type { SourceRef } from "../lib/errors.ts";
import type { Finding } from "./finding.ts";

/** As go-yaml v2, which kubectl uses, resolves them; true and false are the same in both. */
const YAML_1_1_BOOLEAN = /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/;

/**
 * Words that are text in YAML 1.2 (here) but true or false in YAML 1.1 (kubectl): the same manifest would mean
 * another thing to the target cluster.
 */
export function ambiguousWords(document: Document, place: (offset: number) => SourceRef): Finding[] {
	const findings: Finding[] = [];
	visit(document, {
		Scalar(key, node) {
			if (key === "key" || !isScalar(node) || node.type !== "PLAIN" || typeof node.value !== "string") return;
			if (!YAML_1_1_BOOLEAN.test(node.value)) return;
			findings.push({
				code: "yaml-yes-no",
				severity: "warning",
				message: `${node.value} without quotes is a text here, but true or false to kubectl`,
				where: place(node.range?.[0] ?? 0),
				fix: "write true or false, or put the text in quotes",
			});
		},
	});
	return findings;
}
