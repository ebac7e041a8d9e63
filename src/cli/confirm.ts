import { createInterface } from "node:readline/promises";
import { IronstrapError } from "../lib/errors.ts";

export interface Question {
	/** What will be lost, as a sentence without a period. */
	readonly message: string;
	/** What to do before or instead, for those who are not asked. */
	readonly fix: string;
	/** What a person must type, and how that is called: `the site's name`. */
	readonly answer: string;
	readonly answerIs: string;
}

/** Has a person confirm what cannot be taken back; without a terminal it is refused (`needs-confirmation`). */
export async function confirm(
	{ answer, answerIs, fix, message }: Question,
	json: boolean,
	signal: AbortSignal,
): Promise<void> {
	const refusal = new IronstrapError({ code: "needs-confirmation", message, fix });
	if (json || !process.stdin.isTTY) throw refusal;
	const prompt = createInterface({ input: process.stdin, output: process.stderr });
	try {
		const typed = await prompt.question(`${message}. Type ${answerIs} to go on: `, { signal });
		if (typed.trim() !== answer) throw refusal;
	} finally {
		prompt.close();
	}
}
