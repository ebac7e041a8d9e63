import type { BmcProbe, NicFacts, Proposal } from "../../bmc/facts.ts";
import type { Answers, HostAnswer } from "../../init/answers.ts";
import { bmcFault, hostNameFault, macFault } from "../../init/faults.ts";
import { completeHost, freeSystems, nextHostName, systemTitle } from "../../init/host-answer.ts";
import { knownMacs } from "../../init/plan.ts";
import { parseMacAddress } from "../../resources/mac-address.ts";
import { askBmc } from "./ask-bmc.ts";
import type { Interview } from "./context.ts";

/** The servers, one BMC after another, each probed; an empty address ends it. */
export async function askHosts(answers: Answers, context: Interview): Promise<Answers> {
	const { terminal, save, passwords } = context;
	let current = answers;
	// passwords are not kept between runs
	for (const { name, username, bmc } of current.hosts)
		if (!passwords.has(name))
			passwords.set(name, await terminal.password(`Password of ${username} at ${bmc}`));
	while (current.hostsComplete !== true) {
		const first = current.hosts.length === 0;
		const bmc = await terminal.text({
			message: first ? "Address of the first BMC (empty: none)" : "Next BMC (empty: no more)",
			optional: true,
			faultOf: bmcFault,
		});
		if (bmc === "") {
			current = await save({ ...current, hostsComplete: true });
			break;
		}
		const usual = current.hosts.at(-1);
		const found = await askBmc({ bmc, username: usual?.username ?? "admin", boot: current.boot }, context);
		if (found === undefined) continue;
		for (const proposal of await chooseSystems(found.probe, current.hosts, context)) {
			const host = await askHost(found, proposal, current.hosts, context);
			passwords.set(host.name, found.password);
			current = await save({ ...current, hosts: [...current.hosts, host] });
		}
	}
	return current;
}

async function chooseSystems(
	probe: BmcProbe,
	hosts: readonly HostAnswer[],
	{ terminal }: Interview,
): Promise<readonly Proposal[]> {
	const free = freeSystems(probe, hosts);
	if (free.length === 0) terminal.say("Every system of this BMC is a host of the site already.");
	if (free.length <= 1) return free;
	const systems = probe.redfish?.systems ?? [];
	return terminal.choose("This BMC has several systems", [
		{ value: free, name: `all ${free.length} of them` },
		...free.map((proposal) => {
			const system = systems.find(({ path }) => path === proposal.systemPath);
			return { value: [proposal], name: system === undefined ? proposal.address : systemTitle(system) };
		}),
	]);
}

async function askHost(
	found: { readonly probe: BmcProbe; readonly username: string },
	proposal: Proposal,
	hosts: readonly HostAnswer[],
	context: Interview,
): Promise<HostAnswer> {
	const { terminal } = context;
	const system = found.probe.redfish?.systems.find(({ path }) => path === proposal.systemPath);
	if (system !== undefined) terminal.say(`  ${systemTitle(system)}`);
	terminal.say(`  bmc.address: ${proposal.address}`);
	for (const reason of proposal.reasons) terminal.say(`    ${reason}`);
	const name = await terminal.text({
		message: "Name of this host",
		proposal: nextHostName(hosts),
		faultOf: hostNameFault(hosts.map((host) => host.name)),
	});
	const bootMAC = await askMac(system?.nics ?? [], proposal.bootMac, hosts, context);
	return { ...completeHost({ name, bmc: proposal.address, username: found.username, bootMAC }, proposal) };
}

/** The card to boot from: the only one without a question, one of several by choice, none by its address. */
async function askMac(
	nics: readonly NicFacts[],
	proposal: string | undefined,
	hosts: readonly HostAnswer[],
	{ terminal }: Interview,
): Promise<string> {
	const cards = nics.filter(({ toBmc, mac }) => !toBmc && macFault(knownMacs(hosts))(mac) === undefined);
	const [only] = cards;
	if (only !== undefined && cards.length === 1) return only.mac;
	if (cards.length === 0) {
		terminal.say(
			"The BMC does not tell the server's network cards; the address is on a label, or in its setup.",
		);
		const text = await terminal.text({
			message: "MAC address of its boot card",
			faultOf: macFault(knownMacs(hosts)),
		});
		return parseMacAddress(text);
	}
	return terminal.choose(
		"Which card is on the provisioning network",
		cards.map(({ id, mac, linkUp, speedMbps }) => ({
			value: mac,
			name: [
				mac,
				id,
				linkUp === true ? "link" : linkUp === false ? "no link" : "",
				speedMbps ? `${speedMbps} Mb/s` : "",
			]
				.filter((part) => part !== "")
				.join("  "),
		})),
		proposal,
	);
}
