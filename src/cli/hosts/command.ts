import type { Command } from "commander";
import { command, type Finish, type SiteOptions, withSite } from "../command.ts";

export function hostsCommand(finish: Finish): Command {
	return withSite(command("hosts", "list the hosts as `kubectl get baremetalhosts` does")).action(
		async (flags: SiteOptions) => finish(await (await import("./handler.ts")).runHosts(flags)),
	);
}
