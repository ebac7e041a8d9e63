import { Command } from "commander";
import { command, type Finish } from "../command.ts";
import type { ProbeFlags } from "./handler.ts";

export function bmcCommand(finish: Finish): Command {
	return new Command("bmc").description("look at the servers' management controllers").addCommand(
		command("probe", "find out what is at an address and how a host of it is written; reads only")
			.argument("<address>", "10.0.0.5, bmc-1:8443, https://10.0.0.5, or a bmc.address")
			.option("--username <name>", "log in as this user")
			.option("--password-file <file>", "file with the password; `-` reads standard input")
			.option("--boot <method>", "propose for `network` or `virtual-media`; found out when absent")
			.action(async (address: string, flags: ProbeFlags) =>
				finish(await (await import("./handler.ts")).runProbe(address, flags)),
			),
	);
}
