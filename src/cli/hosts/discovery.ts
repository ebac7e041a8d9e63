import type { Command } from "commander";
import { command, type Finish, repeated, type SiteOptions, withSite } from "../command.ts";
import type { AdmitFlags } from "./admit.ts";
import type { AddFlags } from "./enrol.ts";

/** Servers that no manifest names: who they are, and how they come in. */
export function discoveryCommands(finish: Finish): readonly Command[] {
	const discovered = withSite(
		command("discovered", "list servers that asked for an address and that the site does not know"),
	).action(async (flags: SiteOptions) =>
		finish(await (await import("./discovered.ts")).runDiscovered(flags)),
	);
	const add = withSite(
		command(
			"add",
			"add a server by its BMC: probes it and writes its manifests; or let one boot that has none",
		),
	)
		.argument("[address]", "10.0.0.5, bmc-1:8443, https://10.0.0.5, or a bmc.address")
		.option("-f, --file <folder>", "the site's folder, where the manifests are written")
		.option("--username <name>", "log in to the BMC as this user; asked for when absent")
		.option("--password-file <file>", "file with the password; `-` reads standard input")
		.option("--name <name>", "name of the host; the next of cp-0, cp-1, … when absent")
		.option("--system <id>", "which of several systems of the BMC")
		.option("--boot <method>", "`network` or `virtual-media`; as the site's servers do when absent")
		.option("--print", "print the manifests, password included, and write nothing")
		.option(
			"--mac <address>",
			"the boot card; without an address: lets the server boot over the network that no manifest names, repeatable",
			repeated,
		)
		.action(async (address: string | undefined, flags: AddFlags) =>
			finish(await (await import("./enrol.ts")).runAdd(address, flags)),
		);
	const forget = withSite(command("forget", "let a server in no longer that was added by its card"))
		.requiredOption("--mac <address>", "MAC address of the server's boot card; can be repeated", repeated)
		.action(async (flags: AdmitFlags) => finish(await (await import("./admit.ts")).runAdmit(flags, false)));
	return [discovered, add, forget];
}
