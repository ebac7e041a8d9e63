import type { Command } from "commander";
import { command, type Finish, repeated, type SiteOptions, withSite } from "../command.ts";
import type { AdmitFlags } from "./admit.ts";

/** Servers that no manifest names: who they are, and how they come in. */
export function discoveryCommands(finish: Finish): readonly Command[] {
	const discovered = withSite(
		command("discovered", "list servers that asked for an address and that the site does not know"),
	).action(async (flags: SiteOptions) =>
		finish(await (await import("./discovered.ts")).runDiscovered(flags)),
	);
	const admission = (name: string, description: string, admit: boolean) =>
		withSite(command(name, description))
			.requiredOption("--mac <address>", "MAC address of the server's boot card; can be repeated", repeated)
			.action(async (flags: AdmitFlags) => finish(await (await import("./admit.ts")).runAdmit(flags, admit)));
	return [
		discovered,
		admission("add", "let a server boot over the network that no manifest names", true),
		admission("forget", "let such a server in no longer", false),
	];
}
