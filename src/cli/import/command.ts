import type { Command } from "commander";
import { command, type Finish } from "../command.ts";
import type { ImportFlags } from "./handler.ts";

export function importCommand(finish: Finish): Command {
	return command("import", "make manifests of another tool's inventory, or of a running Ironic")
		.argument("<from>", "install-config, bifrost, baremetal-create, eks-a, csv, ironic")
		.argument("<source...>", "files (`-` reads standard input); for `ironic` the URL of its API")
		.option("-o, --output <dir>", "where the manifests are written", "site")
		.option("-n, --namespace <name>", "of hosts whose source names none", "metal3")
		.option("--force", "replace manifests that are there")
		.option("--username <name>", "ironic: the user of the API")
		.option("--password-file <file>", "ironic: a file that holds the user's password alone")
		.option("--ca-file <file>", "ironic: the CA that signed the API's certificate")
		.action(async (from: string, sources: readonly string[], flags: ImportFlags) =>
			finish(await (await import("./handler.ts")).runImport(from, sources, flags)),
		);
}
