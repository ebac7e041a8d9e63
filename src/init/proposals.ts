import type { DhcpLook } from "../linux/dhcp-look.ts";
import type { MachineInterface } from "../linux/ip-json.ts";
import { parseBmcAddress } from "../resources/bmc-address.ts";
import { type Cidr, cidrsOverlap, parseCidr, parseIpAddress } from "../resources/ip.ts";
import { type AddressRange, freeRange } from "./address-range.ts";
import type { Answers } from "./answers.ts";
import { foreignServers, hasForeignDhcp, proposeBoot } from "./boot-method.ts";
import type { MachineFacts } from "./facts.ts";
import { type InterfaceChoice, interfaceChoices } from "./interface-choice.ts";

/** Networks that people give to provisioning; the first that this machine is not in already is proposed. */
const USUAL_ADDRESSES = ["172.22.0.1/24", "172.23.0.1/24", "192.168.222.1/24", "10.22.0.1/24"];

/** The address to give to an interface that has none. */
export function proposeAddress(interfaces: readonly MachineInterface[]): string {
	const used = interfaces.flatMap(({ addresses }) =>
		addresses.filter(({ family }) => family === 4).map(({ cidr }) => parseCidr(cidr)),
	);
	const free = USUAL_ADDRESSES.find((text) => !used.some((other) => cidrsOverlap(parseCidr(text), other)));
	return free ?? "172.22.0.1/24";
}

/** The network that the answers say is the provisioning one; `undefined` as long as they do not. */
export function provisioningNetwork(
	{ interface: name, address }: Answers,
	{ interfaces }: Pick<MachineFacts, "interfaces">,
): Cidr | undefined {
	const link = interfaces.find((each) => each.name === name);
	const text = address ?? link?.addresses.find(({ family }) => family === 4)?.cidr;
	try {
		return text === undefined ? undefined : parseCidr(text);
	} catch {
		return undefined; // reported with the other faults
	}
}

/** Every address of the provisioning network that is known to be somebody's. */
export function takenAddresses(
	answers: Answers,
	facts: Pick<MachineFacts, "interfaces">,
	dhcp: DhcpLook,
): readonly string[] {
	const link = facts.interfaces.find(({ name }) => name === answers.interface);
	const own = provisioningNetwork(answers, facts)?.address.text;
	const bmcs = answers.hosts.flatMap(({ bmc }) => bmcIp(bmc));
	const servers = dhcp.outcome === "looked" ? dhcp.servers : [];
	const offered = servers.flatMap((server) => [server.address, server.offered, server.router]);
	return [...new Set([own, link?.gateway, ...offered, ...bmcs].filter((each) => each !== undefined))];
}

export function proposeRange(
	answers: Answers,
	facts: Pick<MachineFacts, "interfaces">,
	dhcp: DhcpLook,
): AddressRange | undefined {
	const network = provisioningNetwork(answers, facts);
	return network && freeRange(network, takenAddresses(answers, facts, dhcp));
}

/** The interface's choice entry; `undefined` for one that cannot be the provisioning one. */
export function chosenInterface(answers: Answers, facts: MachineFacts): InterfaceChoice | undefined {
	return interfaceChoices(facts).find(({ link }) => link.name === answers.interface);
}

/**
 * What was left open, filled in with the proposals: the same ones that are offered to a person who is asked. Pure.
 */
export function completeAnswers(answers: Answers, facts: MachineFacts, dhcp: DhcpLook): Answers {
	const choice = chosenInterface(answers, facts);
	if (choice === undefined) return answers;
	const boot = answers.boot ?? proposeBoot(choice, dhcp).boot;
	const addresses =
		boot === "network"
			? undefined
			: (answers.addresses ?? (hasForeignDhcp(choice, dhcp) ? "existing-dhcp" : "static"));
	const range =
		answers.range ?? (addresses === "existing-dhcp" ? undefined : proposeRange(answers, facts, dhcp));
	return {
		...answers,
		boot,
		...(addresses === undefined ? {} : { addresses }),
		...(range === undefined ? {} : { range }),
	};
}

/** What is worth a warning although it was chosen so. */
export function planWarnings({ boot, interface: name }: Answers, dhcp: DhcpLook): readonly string[] {
	const foreign = foreignServers(dhcp);
	if (boot !== "network" || foreign.length === 0) return [];
	return [
		`${foreign.join(" and ")} gives out addresses on ${name}, too: servers may hear it first and not boot, and other machines there are answered only if they are known`,
	];
}

function bmcIp(bmc: string): readonly string[] {
	try {
		const { host } = parseBmcAddress(bmc.includes("://") ? bmc : `redfish://${bmc}`);
		return [parseIpAddress(host).text];
	} catch {
		return []; // a name, or a fault that is reported elsewhere
	}
}
