import type { Command } from "commander";
import { command, type Finish, type SiteOptions, withSite } from "../command.ts";

export function composeCommand(finish: Finish): Command {
	return withSite(command("compose", "print the Compose project that runs")).action(
		async (flags: SiteOptions) => finish(await (await import("./handler.ts")).runCompose(flags)),
	);
}
