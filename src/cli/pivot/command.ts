import type { Command } from "commander";
import { command, type Finish, withSite } from "../command.ts";
import type { PivotFlags } from "./handler.ts";

export function pivotCommand(finish: Finish): Command {
	return withSite(command("pivot", "hand the hosts over to the cluster that was built on them"))
		.requiredOption(
			"--export <dir>",
			"write the bundle: manifests, secrets, inventory, database dump, checksums",
		)
		.option("--as <mode>", "take the hosts over as `external` or as `provisioned`", "external")
		.action(async (flags: PivotFlags) => finish(await (await import("./handler.ts")).runPivot(flags)));
}
