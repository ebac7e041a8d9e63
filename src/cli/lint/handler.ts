import { faultsOf } from "../../lib/errors.ts";
import { findHere } from "../../lifecycle/check-here.ts";
import { type Finding, failOnErrors, isError } from "../../site/finding.ts";
import { type LintedSite, lintInputs } from "../../site/load.ts";
import { sarifLog } from "../../site/sarif.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { CommonOptions } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { findingText } from "../render/finding.ts";
import { runCommand } from "../run.ts";
import { version } from "../version.ts";

export interface LintFlags extends CommonOptions {
	readonly file: readonly string[];
	readonly here?: boolean;
	readonly sarif?: boolean;
}

export function runLint({ file, here = false, json, sarif = false }: LintFlags): Promise<number> {
	// a SARIF document is the whole output, so there are no lines of events beside it
	return runCommand(sarif ? false : json, async ({ report, signal }) => {
		const look = () => lintAll(file, here, signal);
		if (sarif) {
			const { findings } = await look().catch(unreadable);
			report.result({}, JSON.stringify(sarifLog(findings, version), undefined, 2));
			return findings.some(isError) ? exitCodes.usage : exitCodes.ok;
		}
		const { findings, site } = await look();
		for (const finding of findings)
			if (!isError(finding)) report.emit({ type: "note", level: "warning", message: findingText(finding) });
		failOnErrors(findings);
		const hosts = site?.hosts.length ?? 0;
		report.result(
			{ site: site?.name, hosts, warnings: findings },
			`${site?.name}: no fault found (${hosts} hosts, ${findings.length} warnings)`,
		);
		return undefined;
	});
}

/** The machine is looked at only for a site that is right in itself: what is not cannot be compared with anything. */
async function lintAll(file: readonly string[], here: boolean, signal: AbortSignal): Promise<LintedSite> {
	const linted = await lintInputs(file, { stdin: process.stdin });
	if (!here || linted.site === undefined) return linted;
	return {
		...linted,
		findings: [...linted.findings, ...(await findHere(linted.site, defaultRoots, signal))],
	};
}

function unreadable(error: unknown): LintedSite {
	const findings = faultsOf(error).map(
		({ code, fix, message, seen, subject, where }): Finding => ({
			code,
			severity: "error",
			message,
			where,
			subject,
			seen,
			fix,
		}),
	);
	return { site: undefined, findings };
}
