import type { Command } from "commander";
import { command, type Finish } from "../command.ts";
import type { InitFlags } from "./handler.ts";

export function initCommand(finish: Finish): Command {
	return command("init", "look at this machine, ask a few questions, write a site")
		.argument("[dir]", "folder to write the manifests to", "site")
		.option("--answers <file>", "take the answers from a YAML file and ask nothing")
		.action(async (directory: string, flags: InitFlags) =>
			finish(await (await import("./handler.ts")).runInit(directory, flags)),
		);
}
