import { Command } from "commander";
import { command, type Finish } from "../command.ts";
import type { BuildFlags } from "./handler.ts";
import type { PruneFlags } from "./prune-handler.ts";

export function imagesCommand(finish: Finish): Command {
	const build = command("build", "build container images from Debian packages; needs no registry")
		.argument("[image...]", "ironic, mariadb; both when none is named")
		.option("--cache-dir <dir>", "where finished archives are kept (default: /var/cache/ironstrap/images)")
		.option("--mirror <url>", "the Debian mirror (default: the one of this machine's apt)")
		.option(
			"--suite <release>",
			"another Debian release, e.g. bookworm; the image is tagged with its version only",
		)
		.option("--no-cache", "build again although nothing changed")
		.option("--no-load", "write the archives and do not load them into the engine")
		.action(async (names: readonly string[], flags: BuildFlags) =>
			finish(await (await import("./handler.ts")).runImagesBuild(names, flags)),
		);
	const prune = command("prune", "remove images that ironstrap built and nothing uses; never others' images")
		.option("--cache-dir <dir>", "where finished archives are kept (default: /var/cache/ironstrap/images)")
		.option("--dry-run", "only say what would be removed")
		.action(async (flags: PruneFlags) =>
			finish(await (await import("./prune-handler.ts")).runImagesPrune(flags)),
		);
	return new Command("images")
		.description("the container images of the stack")
		.addCommand(build)
		.addCommand(prune);
}
