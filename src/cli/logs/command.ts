import type { Command } from "commander";
import { command, type Finish, withSite } from "../command.ts";
import type { LogsFlags } from "./handler.ts";

export function logsCommand(finish: Finish): Command {
	return withSite(command("logs", "what the stack's containers say"))
		.argument("[service...]", "mariadb, ironic, httpd, dnsmasq, schema, prepare; all when none is named")
		.option("--follow", "go on printing until interrupted")
		.option("--tail <lines>", "start this many lines before the end", "100")
		.action(async (services: readonly string[], flags: LogsFlags) =>
			finish(await (await import("./handler.ts")).runLogs(services, flags)),
		);
}
