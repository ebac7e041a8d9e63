import { Command } from "commander";
import { command, type Finish, type SiteOptions, withSite } from "../command.ts";
import type { InstallFlags } from "./handler.ts";

export function systemdCommand(finish: Finish): Command {
	const handler = () => import("./handler.ts");
	const show = withSite(command("show", "print the units that this machine would get")).action(
		async (flags: SiteOptions) => finish(await (await handler()).runSystemdShow(flags)),
	);
	const install = withSite(
		command("install", "have systemd start the stack with the machine, and keep it up"),
	)
		.option("--now", "and take the stack over now: each container is replaced once")
		.action(async (flags: InstallFlags) => finish(await (await handler()).runSystemdInstall(flags)));
	const remove = withSite(
		command("remove", "stop the stack and take its units away; its data is kept"),
	).action(async (flags: SiteOptions) => finish(await (await handler()).runSystemdRemove(flags)));
	// what the units themselves run
	const prepare = withSite(command("prepare", "before the first container of a unit")).action(
		async (flags: SiteOptions) => finish(await (await handler()).runSystemdPrepare(flags)),
	);
	const release = withSite(command("release", "after the last container of a unit")).action(
		async (flags: SiteOptions) => finish(await (await handler()).runSystemdRelease(flags)),
	);
	return new Command("systemd")
		.description("have systemd run the stack, as units made from the Compose project")
		.addCommand(show)
		.addCommand(install)
		.addCommand(remove)
		.addCommand(prepare, { hidden: true })
		.addCommand(release, { hidden: true });
}
