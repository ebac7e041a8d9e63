import { readFile } from "node:fs/promises";
import type { Key } from "../backup/encryption.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { KeyFlags } from "./key-option.ts";
import { readPasswordFile } from "./password-file.ts";

/** Errors: `password-unreadable`, `age-identity-unreadable`. */
export async function keyOf({ identityFile, passphraseFile }: KeyFlags): Promise<Key> {
	return {
		passphrase: passphraseFile === undefined ? undefined : (await readPasswordFile(passphraseFile)).password,
		identity: identityFile === undefined ? undefined : await readIdentity(identityFile),
	};
}

async function readIdentity(path: string): Promise<string> {
	const text = await readFile(path, "utf8").catch((cause: Error) => {
		throw unreadable(path, cause.message);
	});
	const identity = text.split(/\r?\n/).find((line) => line.startsWith("AGE-SECRET-KEY-"));
	if (identity === undefined) throw unreadable(path, "it has no line that begins with AGE-SECRET-KEY-");
	return identity.trim();
}

function unreadable(path: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "age-identity-unreadable",
		message: "the key of the backup cannot be read",
		where: { file: path, line: 1, column: 1 },
		seen,
		fix: "give the file that `age-keygen -o FILE` wrote",
	});
}
