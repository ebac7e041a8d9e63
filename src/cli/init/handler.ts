import { checkSite } from "../../init/check-site.ts";
import { lookForInit } from "../../init/look.ts";
import { nextSteps } from "../../init/next-steps.ts";
import { forgetAnswers } from "../../init/saved-answers.ts";
import { siteFiles } from "../../init/site-text.ts";
import { refuseExistingSite, writeSite } from "../../init/write-site.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { CommonOptions } from "../command.ts";
import { findingText } from "../render/finding.ts";
import { runCommand } from "../run.ts";
import { interview } from "./interview.ts";
import { answerFromFile } from "./unattended.ts";

export interface InitFlags extends CommonOptions {
	readonly answers?: string;
}

export function runInit(directory: string, flags: InitFlags): Promise<number> {
	return runCommand(
		flags.json,
		async ({ report, signal }) => {
			const { answers: file } = flags;
			if (file === undefined) refuseWithoutTerminal(flags);
			await refuseExistingSite(directory);
			const facts = await lookForInit({ signal, environment: process.env });
			const { plan, passwords } =
				file === undefined
					? await interview({ directory, facts, signal })
					: await answerFromFile({ file, facts, signal, emit: report.emit });
			const files = siteFiles(plan, passwords);
			for (const warning of checkSite(files))
				report.emit({ type: "note", level: "warning", message: findingText(warning) });
			await writeSite(directory, files);
			await forgetAnswers(directory);
			const next = nextSteps(plan, facts.engine, directory);
			report.result(
				{ directory, files: files.map(({ name }) => name), plan, next },
				[
					`${files.length} files written to ${directory}. Next:`,
					...next.map(({ command, why }) => `  ${command}\n      ${why}`),
				].join("\n"),
			);
			return undefined;
		},
		{ redraws: false },
	);
}

function refuseWithoutTerminal({ json }: InitFlags): void {
	if (json !== true && process.stdin.isTTY && process.stdout.isTTY) return;
	throw new IronstrapError({
		code: "usage",
		message: json === true ? "with --json nothing can be asked" : "there is no terminal to ask questions on",
		fix: "give the answers in a file: `ironstrap init DIR --answers FILE` (docs/wizard.md lists its fields)",
	});
}
