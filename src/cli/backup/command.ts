import { Command } from "commander";
import { type CommonOptions, command, type Finish, withSite } from "../command.ts";
import { type KeyFlags, withKey } from "../key-option.ts";
import type { BackupFlags } from "./handler.ts";

export function backupCommand(finish: Finish): Command {
	const handler = () => import("./handler.ts");
	const run = withSite(
		command("run", "write the site's whole state to one file (also without the word `run`)"),
	)
		.option("--to <file>", "the file, which must not exist yet (default: ironstrap-SITE-TIME.tar.gz, here)")
		.option(
			"--passphrase-file <path>",
			"encrypt it with the passphrase in this file; `-` reads standard input",
		)
		.option("--encrypt-to <recipient>", "encrypt it for a public key of age: age1…")
		.action(async (flags: BackupFlags) => finish(await (await handler()).runBackup(flags)));
	const verify = withKey(command("verify", "read a backup to its end and compare it with its checksums"))
		.argument("<file>", "the backup")
		.action(async (file: string, flags: KeyFlags & CommonOptions) =>
			finish(await (await handler()).runVerify(file, flags)),
		);
	return new Command("backup")
		.description("everything that a site is, in one file (docs/state.md)")
		.addCommand(run, { isDefault: true })
		.addCommand(verify);
}
