import { styleText } from "node:util";
import inquirer from "inquirer";
import type { FaultOf } from "../init/faults.ts";
import { interrupted } from "../steps/run.ts";
import { wrap } from "./wrap.ts";

export interface Choice<Value> {
	readonly value: Value;
	/** Cut where it is longer than the line. */
	readonly name: string;
	/** Shown while the choice is selected. */
	readonly description?: string;
}

/** A question that is answered by typing. */
export interface TextQuestion {
	readonly message: string;
	readonly proposal?: string | undefined;
	readonly optional?: boolean | undefined;
	readonly faultOf: FaultOf;
	/** What can only be seen once the answer is complete: whether a file is there. */
	readonly look?: ((text: string) => Promise<string | undefined>) | undefined;
}

/** Questions on a terminal. Each can be left by Ctrl-C: then everything ends with `interrupted`. */
export interface Terminal {
	readonly unicode: boolean;
	/** A paragraph; wrapped to the terminal, at most 80 columns. */
	say(text: string): void;
	/** Text that has its own lines: a drawing. */
	show(text: string): void;
	/** Says while one types what is wrong so far. An empty answer is taken if there is a default or `optional`. */
	text(question: TextQuestion): Promise<string>;
	choose<Value>(message: string, choices: readonly Choice<Value>[], proposal?: Value): Promise<Value>;
	confirm(message: string, proposal: boolean): Promise<boolean>;
	/** Shows nothing of what is typed but its length. */
	password(message: string): Promise<string>;
	/** Lets go of the keyboard, which would keep the process alive. */
	close(): void;
}

export function openTerminal(signal: AbortSignal): Terminal {
	const unicode = /utf-?8/i.test(process.env.LC_ALL || process.env.LC_CTYPE || process.env.LANG || "");
	const prompt = inquirer.createPromptModule({ signal });
	const theme = plainTheme(unicode);

	async function ask<Answer>(question: object): Promise<Answer> {
		try {
			const answers = (await prompt([{ name: "answer", theme, ...question }] as never)) as { answer: Answer };
			return answers.answer;
		} catch (error) {
			signal.throwIfAborted();
			// in raw mode Ctrl-C is a key, which the prompt turns into this error
			if (error instanceof Error && error.name === "ExitPromptError") throw interrupted("Ctrl-C");
			throw error;
		}
	}

	return {
		unicode,
		say: (text) => void process.stdout.write(`${wrap(text, columns())}\n`),
		show: (text) => void process.stdout.write(`\n${text}\n\n`),
		text: ({ message, proposal, optional = false, faultOf, look }) =>
			ask<string>({
				type: "input",
				message,
				...(proposal === undefined ? {} : { default: proposal }),
				transformer: (text: string, { isFinal }: { isFinal: boolean }) =>
					whileTyping(text, isFinal, { message, faultOf }),
				validate: async (text: string) => {
					if (text.trim() === "" && optional) return true;
					const fault = faultOf(text.trim());
					if (fault !== undefined) return fault;
					return (await look?.(text.trim())) ?? true;
				},
			}).then((text) => text.trim()),
		choose: (message, choices, proposal) =>
			ask({
				type: "select",
				message,
				choices: choices.map((choice) => ({ ...choice, name: clip(choice.name, columns() - 3) })),
				loop: false,
				pageSize: 10,
				...(proposal === undefined ? {} : { default: proposal }),
			}),
		confirm: (message, proposal) => ask({ type: "confirm", message, default: proposal }),
		password: (message) =>
			ask({
				type: "password",
				message,
				mask: "*",
				validate: (text: string) => (text === "" ? "is empty" : true),
			}),
		close() {
			process.stdin.pause();
			process.stdin.unref();
		},
	};
}

/** The fault stands behind the text while it is typed; half a word is no mistake, so it is said quietly. */
function whileTyping(
	text: string,
	isFinal: boolean,
	{ message, faultOf }: { message: string; faultOf: FaultOf },
): string {
	const fault = text.trim() === "" || isFinal ? undefined : faultOf(text.trim());
	if (fault === undefined) return text;
	// on the same line or not at all: a second line would jump up and down while one types
	const room = columns() - message.length - text.length - 8;
	if (room < 20) return text;
	return `${text}  ${styleText("dim", `(${clip(fault, room)})`)}`;
}

function clip(text: string, width: number): string {
	return text.length <= width ? text : `${text.slice(0, width - 3)}...`;
}

function columns(): number {
	return Math.min(process.stdout.columns || 80, 80);
}

/** Without UTF-8 nothing but ASCII is drawn; colours already follow NO_COLOR. */
function plainTheme(unicode: boolean): object {
	if (unicode) return { style: { keysHelpTip: () => undefined } };
	return {
		prefix: { idle: "?", done: "*" },
		icon: { cursor: ">" },
		spinner: { interval: 200, frames: ["-", "\\", "|", "/"] },
		style: { keysHelpTip: () => undefined },
	};
}
