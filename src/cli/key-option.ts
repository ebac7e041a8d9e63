import type { Command } from "commander";

/** What opens a backup; only for one that is encrypted. */
export interface KeyFlags {
	readonly passphraseFile?: string;
	readonly identityFile?: string;
}

export function withKey(target: Command): Command {
	return target
		.option("--passphrase-file <path>", "its passphrase, in a file; `-` reads standard input")
		.option("--identity-file <path>", "the key that it was encrypted for, as `age-keygen` writes it");
}
