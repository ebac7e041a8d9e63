import type { Command } from "commander";
import { command, type Finish, repeated } from "../command.ts";
import type { LintFlags } from "./handler.ts";

export function lintCommand(finish: Finish): Command {
	return command("lint", "check manifests; looks at the text alone and runs anywhere")
		.requiredOption(
			"-f, --file <path>",
			"a manifest or a folder of manifests; `-` reads standard input; repeatable",
			repeated,
		)
		.option("--here", "look at this machine too: addresses, networks, engine, images, deploy ramdisk")
		.option("--sarif", "print the findings as one SARIF 2.1.0 document")
		.action(async (flags: LintFlags) => finish(await (await import("./handler.ts")).runLint(flags)));
}
