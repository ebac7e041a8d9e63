import type { Command } from "commander";
import { command, type Finish, withSite } from "../command.ts";
import type { StatusFlags } from "./handler.ts";

export function statusCommand(finish: Finish): Command {
	return withSite(command("status", "the stack, the hosts, and what is being waited for and why"))
		.option("-w, --watch", "show it again whenever it changes")
		.action(async (flags: StatusFlags) => finish(await (await import("./handler.ts")).runStatus(flags)));
}
