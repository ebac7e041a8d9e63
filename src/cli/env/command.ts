import type { Command } from "commander";
import { command, type Finish, withSite } from "../command.ts";
import type { EnvFlags } from "./handler.ts";

export function envCommand(finish: Finish): Command {
	return withSite(command("env", "let `baremetal` and `openstack` use this site's Ironic"))
		.option("--clouds", "print the clouds.yaml itself, with the password, instead of the lines for a shell")
		.action(async (flags: EnvFlags) => finish(await (await import("./handler.ts")).runEnv(flags)));
}
