import type { Command } from "commander";
import { type CommonOptions, command, type Finish } from "../command.ts";
import { type KeyFlags, withKey } from "../key-option.ts";

export function restoreCommand(finish: Finish): Command {
	return withKey(command("restore", "put a site back from a backup, on a machine that has nothing of it"))
		.argument("<file>", "the backup")
		.action(async (file: string, flags: KeyFlags & CommonOptions) =>
			finish(await (await import("./handler.ts")).runRestore(file, flags)),
		);
}
