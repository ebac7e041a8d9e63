import { mkdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import { type Answers, formatAnswers, parseAnswers } from "./answers.ts";

/** Where an interrupted run leaves what was answered; hidden, so that it is no manifest. */
export const SAVED_ANSWERS = ".ironstrap-answers.yaml";

/** What an earlier run left; `undefined` if nothing. A file that cannot be read counts as nothing. */
export async function readSavedAnswers(directory: string): Promise<Answers | undefined> {
	const file = join(directory, SAVED_ANSWERS);
	try {
		return parseAnswers(await readFile(file, "utf8"), file);
	} catch {
		return undefined;
	}
}

/** Keeps the answers so far, without any password. */
export async function saveAnswers(directory: string, answers: Answers): Promise<void> {
	await mkdir(directory, { recursive: true, mode: 0o700 });
	await writeFileAtomic(join(directory, SAVED_ANSWERS), formatAnswers(answers), { mode: 0o600 });
}

export async function forgetAnswers(directory: string): Promise<void> {
	await unlink(join(directory, SAVED_ANSWERS)).catch(() => undefined);
}

/** The file of `--answers`. Errors: `answers-unreadable`, `answers-invalid`. */
export async function readAnswersFile(file: string): Promise<Answers> {
	let text: string;
	try {
		text = await readFile(file, "utf8");
	} catch (cause) {
		throw new IronstrapError({
			code: "answers-unreadable",
			message: "the answers cannot be read",
			where: { file, line: 1, column: 1 },
			seen: (cause as Error).message,
			fix: "give the path of a YAML file; docs/wizard.md lists its fields",
			cause,
		});
	}
	return parseAnswers(text, file);
}
