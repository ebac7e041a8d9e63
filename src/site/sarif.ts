import type { SourceRef } from "../lib/errors.ts";
import type { Finding } from "./finding.ts";

/**
 * Findings as one SARIF 2.1.0 log, which code hosts and editors show beside the line it is about. Pure.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function sarifLog(findings: readonly Finding[], toolVersion: string): SarifLog {
	const codes = [...new Set(findings.map(({ code }) => code))].sort();
	return {
		$schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		version: "2.1.0",
		runs: [
			{
				tool: {
					driver: { name: "ironstrap", semanticVersion: toolVersion, rules: codes.map((id) => ({ id })) },
				},
				columnKind: "utf16CodeUnits",
				results: findings.map((finding) => resultOf(finding, codes)),
			},
		],
	};
}

export interface SarifLog {
	readonly $schema: string;
	readonly version: "2.1.0";
	readonly runs: readonly [SarifRun];
}

export interface SarifRun {
	readonly tool: {
		readonly driver: {
			readonly name: string;
			readonly semanticVersion: string;
			readonly rules: readonly { readonly id: string }[];
		};
	};
	readonly columnKind: "utf16CodeUnits";
	readonly results: readonly SarifResult[];
}

export interface SarifResult {
	readonly ruleId: string;
	/** Into `rules`. */
	readonly ruleIndex: number;
	readonly level: "error" | "warning";
	readonly message: { readonly text: string };
	readonly locations: readonly SarifLocation[];
}

interface SarifLocation {
	readonly physicalLocation: {
		readonly artifactLocation: { readonly uri: string };
		readonly region: { readonly startLine: number; readonly startColumn: number };
	};
	readonly logicalLocations?: readonly { readonly fullyQualifiedName: string }[];
}

/** SARIF has no place for what to do next, so the message says it: viewers show the text alone. */
function resultOf(finding: Finding, codes: readonly string[]): SarifResult {
	const { code, fix, message, seen, severity, subject, where } = finding;
	const text = [
		`${message}${seen === undefined ? "" : ` (seen: ${seen})`}.`,
		...(fix === undefined ? [] : [`Fix: ${fix}.`]),
	].join(" ");
	return {
		ruleId: code,
		ruleIndex: codes.indexOf(code),
		level: severity,
		message: { text },
		locations: where === undefined ? [] : [locationOf(where, subject)],
	};
}

function locationOf({ column, file, line }: SourceRef, subject: string | undefined): SarifLocation {
	return {
		physicalLocation: {
			artifactLocation: { uri: uriOf(file) },
			region: { startLine: line, startColumn: column },
		},
		...(subject === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: subject }] }),
	};
}

/** A relative path stays relative (viewers resolve it against the repository); `<stdin>` becomes a valid reference. */
function uriOf(file: string): string {
	const encoded = file.split("/").map(encodeURIComponent).join("/");
	// a colon before the first slash would be taken for a scheme: it is encoded, like all else that is no letter
	return file.startsWith("/") ? `file://${encoded}` : encoded.replace(/^(\.\/)+/, "");
}
