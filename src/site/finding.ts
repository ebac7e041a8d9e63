import { IronstrapError, IronstrapErrors, type SourceRef } from "../lib/errors.ts";

/** What the linter has to say about one place; the codes are listed in docs/lint.md. Never contains a secret. */
export interface Finding {
	/** Stable, kebab-case. */
	readonly code: string;
	/** An error refuses the site; a warning is shown and the run goes on. */
	readonly severity: "error" | "warning";
	/** One sentence without a final period. */
	readonly message: string;
	readonly where?: SourceRef | undefined;
	/** `BareMetalHost metal3/cp-0`. */
	readonly subject?: string | undefined;
	readonly seen?: string | undefined;
	readonly fix?: string | undefined;
}

export function isError(finding: Finding): boolean {
	return finding.severity === "error";
}

/** Throws all errors among the findings together; returns the warnings. */
export function failOnErrors(findings: readonly Finding[]): readonly Finding[] {
	const errors = findings.filter(isError);
	if (errors.length > 0)
		throw new IronstrapErrors(errors.map(({ severity: _, ...rest }) => new IronstrapError(rest)));
	return findings;
}

/** By file, line and column, each place once per code; findings without a place come last. */
export function inReadingOrder(findings: readonly Finding[]): readonly Finding[] {
	const key = ({ where, code, message }: Finding) =>
		`${where?.file}:${where?.line}:${where?.column} ${code} ${message}`;
	const unique = [...new Map(findings.map((finding) => [key(finding), finding])).values()];
	return unique.sort((a, b) => {
		if (!a.where || !b.where) return Number(!a.where) - Number(!b.where);
		if (a.where.file !== b.where.file) return a.where.file < b.where.file ? -1 : 1;
		return a.where.line - b.where.line || a.where.column - b.where.column;
	});
}
