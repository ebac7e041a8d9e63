import { Command } from "commander";
import { command, type Finish, repeated, type SiteOptions, withSite } from "../command.ts";
import type { ShowFlags, WatchFlags } from "./handler.ts";

export function fenceCommand(finish: Finish): Command {
	const handler = () => import("./handler.ts");
	const status = withSite(
		command("status", "who may reach what, and what was refused; the same as `ironstrap fence`"),
	).action(async (flags: SiteOptions) => finish(await (await handler()).runFenceStatus(flags)));
	const verify = withSite(
		command("verify", "try every published port from this machine and from a temporary network of its own"),
	).action(async (flags: SiteOptions) => finish(await (await handler()).runFenceVerify(flags)));
	const show = withSite(command("show", "print the fence as an nftables ruleset"))
		.option(
			"-f, --file <path>",
			"the fence that these manifests would get; needs no root; repeatable",
			repeated,
		)
		.action(async (flags: ShowFlags) => finish(await (await handler()).runFenceShow(flags)));
	const watch = withSite(
		command("watch", "put the fence back whenever somebody changes it, until the site is down"),
	)
		.option("--resolve-every <duration>", "look up the site's host names anew this often", "1m")
		.action(async (flags: WatchFlags) => finish(await (await handler()).runFenceWatch(flags)));
	return new Command("fence")
		.description("who may reach the stack, and what the stack may reach")
		.addCommand(status, { isDefault: true })
		.addCommand(show)
		.addCommand(verify)
		.addCommand(watch);
}
