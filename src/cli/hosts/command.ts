import { Command, Option } from "commander";
import type { HostVerb } from "../../hosts/verbs.ts";
import { command, type Finish, withSite } from "../command.ts";
import { discoveryCommands } from "./discovery.ts";
import type { ListFlags } from "./handler.ts";
import type { TraceFlags } from "./trace.ts";
import type { VerbFlags, WaitFlags } from "./verbs.ts";

const lister = () => import("./handler.ts");
const verbs = () => import("./verbs.ts");
const tracer = () => import("./trace.ts");

export function hostsCommand(finish: Finish): Command {
	const list = withSite(command("list", "list the hosts as `kubectl get baremetalhosts` does"))
		.argument("[host...]", "NAME or NAMESPACE/NAME; all when none is named")
		.addOption(new Option("-o, --output <format>", "another form").choices(["wide", "json", "yaml", "name"]))
		.action(async (words: readonly string[], flags: ListFlags) =>
			finish(await (await lister()).runHosts(words, flags)),
		);
	const describe = withSite(command("describe", "everything that is known of hosts"))
		.argument("[host...]")
		.action(async (words: readonly string[], flags: ListFlags) =>
			finish(await (await lister()).runDescribe(words, flags)),
		);
	const provision = verb(finish, "provision", "bring hosts to where their manifests want them", () => ({
		kind: "provision",
	}));
	const deprovision = verb(
		finish,
		"deprovision",
		"wipe what is deployed; the host is then available",
		() => ({
			kind: "deprovision",
		}),
	).option("-y, --yes", "do not ask");
	const inspect = verb(finish, "inspect", "inspect available hosts anew", () => ({ kind: "inspect" }));
	const reboot = verb(finish, "reboot", "off and on again: politely, then by force", ({ hard }) => ({
		kind: "reboot",
		mode: hard === true ? "hard" : "soft",
	})).option("--hard", "cut the power at once");
	const remove = verb(
		finish,
		"remove",
		"deprovision, switch off and forget a host that no manifest declares",
		() => ({
			kind: "remove",
		}),
	).option("-y, --yes", "do not ask");
	const power = withSite(command("power", "switch hosts on or off, until the next `up`"))
		.argument("<on|off>")
		.argument("<host...>")
		.action(async (state: string, words: readonly string[], flags: VerbFlags) =>
			finish(await (await verbs()).runPower(state, words, flags)),
		);
	const wait = withSite(command("wait", "wait until hosts are as wanted; another ironstrap does the work"))
		.argument("[host...]", "all when none is named")
		.requiredOption("--for <condition>", "state=STATE, online=true|false, error= (none), delete")
		.option("--timeout <duration>", "such as 90s or 30m", "1h")
		.action(async (words: readonly string[], flags: WaitFlags) =>
			finish(await (await verbs()).runWait(words, flags)),
		);
	const trace = withSite(
		command("trace", "how a host's boot looked to dnsmasq, httpd and Ironic, and where it stalls"),
	)
		.argument("<host>", "NAME or NAMESPACE/NAME")
		.option("--follow", "go on until interrupted")
		.option("--since <duration>", "how far back", "1h")
		.action(async (word: string, flags: TraceFlags) => finish(await (await tracer()).runTrace(word, flags)));
	const hosts = new Command("hosts")
		.description("the site's servers: list, describe, provision, power, …")
		.addCommand(list, { isDefault: true })
		.addCommand(describe)
		.addCommand(provision)
		.addCommand(deprovision)
		.addCommand(inspect)
		.addCommand(power)
		.addCommand(reboot)
		.addCommand(remove)
		.addCommand(wait)
		.addCommand(trace);
	for (const each of discoveryCommands(finish)) hosts.addCommand(each);
	return hosts;
}

function verb(
	finish: Finish,
	name: string,
	description: string,
	verbOf: (flags: VerbFlags) => HostVerb,
): Command {
	return withSite(command(name, description))
		.argument("<host...>", "NAME or NAMESPACE/NAME")
		.action(async (words: readonly string[], flags: VerbFlags) =>
			finish(await (await verbs()).runVerb(verbOf(flags), words, flags)),
		);
}
