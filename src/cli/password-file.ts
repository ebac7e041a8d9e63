import { readFile, stat } from "node:fs/promises";
import { IronstrapError } from "../lib/errors.ts";

/** No password is longer; a file that is was mistaken for one. */
const LONGEST = 4096;

export interface PasswordFile {
	readonly password: string;
	/** Others may read the file: worth a warning. */
	readonly exposed: boolean;
}

/**
 * Reads a password from a file, or from standard input for `-`; one line end at its end does not belong to it. Never
 * from an argument or the environment, which other users can see. Errors: `password-unreadable`.
 */
export async function readPasswordFile(path: string): Promise<PasswordFile> {
	let text: string;
	let exposed = false;
	try {
		text = path === "-" ? await readStandardInput() : await readFile(path, "utf8");
		if (path !== "-") exposed = ((await stat(path)).mode & 0o077) !== 0;
	} catch (cause) {
		throw unreadable(path, (cause as Error).message);
	}
	const password = text.replace(/\r?\n$/, "");
	if (password === "") throw unreadable(path, "it is empty");
	if (password.length > LONGEST || password.includes("\n"))
		throw unreadable(path, "it has more than one line");
	return { password, exposed };
}

async function readStandardInput(): Promise<string> {
	let text = "";
	for await (const chunk of process.stdin.setEncoding("utf8")) {
		text += chunk as string;
		if (text.length > LONGEST * 2) break;
	}
	return text;
}

function unreadable(path: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "password-unreadable",
		message: "the password cannot be read",
		where: { file: path === "-" ? "<stdin>" : path, line: 1, column: 1 },
		seen,
		fix: "put the password, and nothing else, into a file that only you can read (mode 0600)",
	});
}
