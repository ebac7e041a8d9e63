import type { Command } from "commander";
import { command, type Finish, repeated, withSite } from "../command.ts";
import type { UpFlags } from "./handler.ts";

export function upCommand(finish: Finish): Command {
	return withSite(command("up", "make it so: fence, stack, hosts (can be run again at any time)"))
		.option(
			"-f, --file <path>",
			"a manifest or a folder of manifests; `-` reads standard input; repeatable; default: the site as it was applied last",
			repeated,
		)
		.option("--no-hosts", "bring the stack up and leave the hosts alone")
		.action(async (flags: UpFlags) => finish(await (await import("./handler.ts")).runUp(flags)));
}
