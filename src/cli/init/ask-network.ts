import { addressesFrom } from "../../init/address-range.ts";
import type { Answers } from "../../init/answers.ts";
import { type BootMethod, hasForeignDhcp, proposeBoot } from "../../init/boot-method.ts";
import { ownAddresses } from "../../init/facts.ts";
import { interfaceAddressFault, rangeFault, splitRange } from "../../init/faults.ts";
import {
	hasIpv4,
	type InterfaceChoice,
	interfaceChoices,
	interfaceTitle,
} from "../../init/interface-choice.ts";
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
import type { Choice } from "../terminal.ts";
import type { Interview } from "./context.ts";

/** Which interface leads to the servers, and this machine's address on it. */
export async function askInterface(answers: Answers, context: Interview): Promise<Answers> {
	return askAddress(await askName(answers, context), context);
}

async function askName(answers: Answers, { terminal, facts, save }: Interview): Promise<Answers> {
	const choices = interfaceChoices(facts);
	if (choices.length === 0) throw noInterface();
	if (chosenInterface(answers, facts) !== undefined) return answers;
	terminal.say("Servers, or at least their BMCs, must reach this machine through one interface.");
	const name = await terminal.choose(
		"Provisioning interface",
		choices.map(({ link, note }) => ({ value: link.name, name: interfaceTitle(link), description: note })),
		choices[0]?.link.name,
	);
	return save({ ...answers, interface: name });
}

async function askAddress(answers: Answers, { terminal, facts, save }: Interview): Promise<Answers> {
	const link = chosenInterface(answers, facts)?.link;
	if (link === undefined || hasIpv4(link) || answers.address !== undefined) return answers;
	terminal.say(
		`${link.name} has no IPv4 address. Choose one now; the command that sets it is told at the end.`,
	);
	const address = await terminal.text({
		message: `This machine's address on ${link.name}`,
		proposal: proposeAddress(facts.interfaces),
		faultOf: interfaceAddressFault,
	});
	return save({ ...answers, address });
}

/** Looks for DHCP servers there; nothing is leased. */
export async function lookOnce(answers: Answers, { terminal, facts, signal }: Interview): Promise<DhcpLook> {
	const link = chosenInterface(answers, facts)?.link;
	if (link === undefined) throw noInterface();
	terminal.say(`Looking for DHCP servers on ${link.name} (5 seconds; nothing is leased) ...`);
	return lookForDhcp(link, { signal, own: ownAddresses(facts) });
}

/** How the servers boot, with the reasons for the proposal, and where their addresses come from. */
export async function askBoot(answers: Answers, dhcp: DhcpLook, context: Interview): Promise<Answers> {
	const choice = chosenInterface(answers, context.facts);
	if (choice === undefined) throw noInterface();
	return askAddresses(await askMethod(answers, choice, dhcp, context), choice, dhcp, context);
}

async function askMethod(
	answers: Answers,
	choice: InterfaceChoice,
	dhcp: DhcpLook,
	{ terminal, save }: Interview,
): Promise<Answers> {
	const proposal = proposeBoot(choice, dhcp);
	for (const reason of proposal.reasons) terminal.say(`  - ${reason}`);
	if (answers.boot !== undefined) return answers;
	const network: Choice<BootMethod> = {
		value: "network",
		name: "over the network (PXE/iPXE)",
		description: `This machine answers DHCP on ${choice.link.name}, to known servers only.`,
	};
	const media: Choice<BootMethod> = {
		value: "virtual-media",
		name: "from virtual media",
		description: "BMCs fetch an image from this machine; no DHCP from here. Needs Redfish.",
	};
	const boot = await terminal.choose("How the servers boot", [network, media], proposal.boot);
	const saved = await save({ ...answers, boot });
	if (boot === "network" && proposal.instead !== undefined) terminal.say(`  safer: ${proposal.instead}`);
	for (const warning of planWarnings(saved, dhcp)) terminal.say(`  warning: ${warning}`);
	return saved;
}

/** Of servers that boot from virtual media. */
async function askAddresses(
	answers: Answers,
	choice: InterfaceChoice,
	dhcp: DhcpLook,
	{ terminal, save }: Interview,
): Promise<Answers> {
	if (answers.boot === "network" || answers.addresses !== undefined) return answers;
	const existing: Choice<NonNullable<Answers["addresses"]>> = {
		value: "existing-dhcp",
		name: "the DHCP server of this network",
		description: "It must have room for them; nothing is configured there.",
	};
	const fixed: Choice<NonNullable<Answers["addresses"]>> = {
		value: "static",
		name: "fixed addresses",
		description: "A network Secret is written for each host.",
	};
	const proposal = hasForeignDhcp(choice, dhcp) ? existing : fixed;
	const addresses = await terminal.choose(
		"Where the servers get their addresses from",
		[existing, fixed],
		proposal.value,
	);
	return save({ ...answers, addresses });
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
