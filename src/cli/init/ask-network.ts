import { addressesFrom } from "../../init/address-range.ts";
import type { Answers } from "../../init/answers.ts";
import { type BootMethod, hasForeignDhcp, proposeBoot } from "../../init/boot-method.ts";
import { ownAddresses } from "../../init/facts.ts";
import { interfaceAddressFault, rangeFault, splitRange } from "../../init/faults.ts";
import { hasIpv4, interfaceChoices, interfaceTitle } from "../../init/interface-choice.ts";
import {
	chosenInterface,
	planWarnings,
	proposeAddress,
	proposeRange,
	provisioningNetwork,
	takenAddresses,
} from "../../init/proposals.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { type DhcpLook, lookForDhcp } from "../../linux/dhcp-look.ts";
import type { Interview } from "./context.ts";

/** Which interface leads to the servers, and this machine's address on it. */
export async function askInterface(answers: Answers, { terminal, facts, save }: Interview): Promise<Answers> {
	const choices = interfaceChoices(facts);
	if (choices.length === 0) throw noInterface();
	let current = answers;
	if (chosenInterface(current, facts) === undefined) {
		terminal.say("Servers, or at least their BMCs, must reach this machine through one interface.");
		const name = await terminal.choose(
			"Provisioning interface",
			choices.map(({ link, note }) => ({ value: link.name, name: interfaceTitle(link), description: note })),
			choices[0]?.link.name,
		);
		current = await save({ ...current, interface: name });
	}
	const link = chosenInterface(current, facts)?.link;
	if (link === undefined || hasIpv4(link) || current.address !== undefined) return current;
	terminal.say(
		`${link.name} has no IPv4 address. Choose one now; the command that sets it is told at the end.`,
	);
	const address = await terminal.text({
		message: `This machine's address on ${link.name}`,
		proposal: proposeAddress(facts.interfaces),
		faultOf: interfaceAddressFault,
	});
	return save({ ...current, address });
}

/** Looks for DHCP servers there; nothing is leased. */
export async function lookOnce(answers: Answers, { terminal, facts, signal }: Interview): Promise<DhcpLook> {
	const link = chosenInterface(answers, facts)?.link;
	if (link === undefined) throw noInterface();
	terminal.say(`Looking for DHCP servers on ${link.name} (5 seconds; nothing is leased) ...`);
	return lookForDhcp(link, { signal, own: ownAddresses(facts) });
}

/** How the servers boot, with the reasons for the proposal. */
export async function askBoot(
	answers: Answers,
	dhcp: DhcpLook,
	{ terminal, facts, save }: Interview,
): Promise<Answers> {
	const choice = chosenInterface(answers, facts);
	if (choice === undefined) throw noInterface();
	let current = answers;
	const proposal = proposeBoot(choice, dhcp);
	for (const reason of proposal.reasons) terminal.say(`  - ${reason}`);
	if (current.boot === undefined) {
		const boot = await terminal.choose<BootMethod>(
			"How the servers boot",
			[
				{
					value: "network",
					name: "over the network (PXE/iPXE)",
					description: `This machine answers DHCP on ${choice.link.name}, to known servers only.`,
				},
				{
					value: "virtual-media",
					name: "from virtual media",
					description: "BMCs fetch an image from this machine; no DHCP from here. Needs Redfish.",
				},
			],
			proposal.boot,
		);
		current = await save({ ...current, boot });
		if (boot === "network" && proposal.instead !== undefined) terminal.say(`  safer: ${proposal.instead}`);
		for (const warning of planWarnings(current, dhcp)) terminal.say(`  warning: ${warning}`);
	}
	if (current.boot === "network" || current.addresses !== undefined) return current;
	const addresses = await terminal.choose<NonNullable<Answers["addresses"]>>(
		"Where the servers get their addresses from",
		[
			{
				value: "existing-dhcp",
				name: "the DHCP server of this network",
				description: "It must have room for them; nothing is configured there.",
			},
			{ value: "static", name: "fixed addresses", description: "A network Secret is written for each host." },
		],
		hasForeignDhcp(choice, dhcp) ? "existing-dhcp" : "static",
	);
	return save({ ...current, addresses });
}

/** The addresses for servers, once it is known how many there are. */
export async function askRange(
	answers: Answers,
	dhcp: DhcpLook,
	{ terminal, facts, save }: Interview,
): Promise<Answers> {
	const network = provisioningNetwork(answers, facts);
	if (answers.range !== undefined || answers.addresses === "existing-dhcp" || network === undefined)
		return answers;
	const proposal = proposeRange(answers, facts, dhcp);
	const isPool = answers.boot === "network";
	terminal.say(
		isPool
			? "A server keeps the address it was deployed with: leave room for those to come."
			: "Each server gets one of these while it is inspected and deployed.",
	);
	const text = await terminal.text({
		message: isPool ? "DHCP range for the servers" : "Fixed addresses for the servers",
		proposal: proposal && `${proposal.begin}-${proposal.end}`,
		faultOf: rangeFault(network, takenAddresses(answers, facts, dhcp), answers.hosts.length),
	});
	const range = splitRange(text);
	const saved = await save({ ...answers, range });
	if (!isPool && answers.hosts.length > 0)
		terminal.say(
			`  ${answers.hosts.map(({ name }) => name).join(", ")}: ${addressesFrom(range, answers.hosts.length).join(", ")}`,
		);
	return saved;
}

function noInterface(): IronstrapError {
	return new IronstrapError({
		code: "no-interface",
		message: "this machine has no interface that could lead to servers",
		seen: "only loopback, tunnels, and interfaces of container engines or hypervisors",
		fix: "connect a network card, or make a VLAN or bridge for the provisioning network (`ip link`)",
	});
}
