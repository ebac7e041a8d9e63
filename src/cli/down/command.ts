import type { Command } from "commander";
import { command, type Finish, withSite } from "../command.ts";
import type { DownFlags } from "./handler.ts";

export function downCommand(finish: Finish): Command {
	return withSite(command("down", "stop the stack cleanly; the servers are left as they are"))
		.option("--purge", "remove everything that ironstrap made on this machine, the database included")
		.option("-y, --yes", "do not ask")
		.action(async (flags: DownFlags) => finish(await (await import("./handler.ts")).runDown(flags)));
}
