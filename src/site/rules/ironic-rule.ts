import type { SourceRef } from "../../lib/errors.ts";
import type { IronicSpec } from "../../resources/ironic.ts";
import type { Path } from "../document.ts";
import type { Finding } from "../finding.ts";

/** An `Ironic` under test: the one of the site, or the one that the target cluster will get. */
export interface IronicUnderTest {
	readonly spec: IronicSpec;
	readonly subject: string;
	/** Where a field stands; the path starts below `spec`. */
	readonly where: (path: Path) => SourceRef | undefined;
}

/** Pure; yields one finding per fault, so that all are told at once (the operator's webhook stops at the first). */
export type IronicRule = (ironic: IronicUnderTest) => Iterable<Finding>;

export interface Problem {
	readonly message: string;
	readonly fix: string;
	readonly seen?: string | undefined;
	readonly severity?: "error" | "warning";
}

/** A finding about the field at this path below `spec`. */
export function about(ironic: IronicUnderTest, path: Path, code: string, problem: Problem): Finding {
	const { severity = "error", ...rest } = problem;
	return { code, severity, subject: ironic.subject, where: ironic.where(path), ...rest };
}

/** Go, in which the operator is written, cannot tell an empty string from an absent one. */
export function given(text: string | undefined): text is string {
	return text !== undefined && text !== "";
}

/** The parsed value, or `undefined` if the parser throws; where another rule reports the fault. */
export function attempt<T>(parse: () => T): T | undefined {
	try {
		return parse();
	} catch {
		return undefined;
	}
}
