import { probeBmc } from "../../bmc/probe.ts";
import { parseProbeTarget } from "../../bmc/target.ts";
import type { Answers, HostAnswer } from "../../init/answers.ts";
import type { BootMethod } from "../../init/boot-method.ts";
import { type MachineFacts, ownAddresses } from "../../init/facts.ts";
import { completeHost, needsProbe } from "../../init/host-answer.ts";
import { interfaceChoices } from "../../init/interface-choice.ts";
import { planSite } from "../../init/plan.ts";
import { completeAnswers, planWarnings } from "../../init/proposals.ts";
import { readAnswersFile } from "../../init/saved-answers.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { type DhcpLook, lookForDhcp } from "../../linux/dhcp-look.ts";
import type { EventSink } from "../../steps/events.ts";
import { readPasswordFile } from "../password-file.ts";
import type { Decided } from "./context.ts";

/**
 * Decides from a file, asking nobody: what it leaves out is taken as it would have been proposed. BMCs are asked where
 * their entry is not complete. Errors: `answers-…`, and what the probe says.
 */
export async function answerFromFile(input: {
	file: string;
	facts: MachineFacts;
	signal: AbortSignal;
	emit: EventSink;
}): Promise<Decided> {
	const { file, facts, signal, emit } = input;
	const note = (level: "info" | "warning", message: string) => emit({ type: "note", level, message });
	const given = await readAnswersFile(file);
	const best = interfaceChoices(facts)[0]?.link.name;
	const answers: Answers =
		given.interface === undefined && best !== undefined ? { ...given, interface: best } : given;
	const dhcp = await lookOn(answers, facts, signal);
	const decided = completeAnswers(answers, facts, dhcp);
	for (const warning of planWarnings(decided, dhcp)) note("warning", warning);
	const passwords = new Map<string, string>();
	const hosts: HostAnswer[] = [];
	for (const host of decided.hosts) {
		const password = await passwordOf(host, file, note);
		passwords.set(host.name, password);
		hosts.push(
			needsProbe(host) ? await probeHost(host, { password, boot: decided.boot, file, signal, note }) : host,
		);
	}
	// only now are the BMCs' addresses known, which the range must leave out
	return { plan: planSite(completeAnswers({ ...answers, hosts }, facts, dhcp), facts, file), passwords };
}

async function lookOn(answers: Answers, facts: MachineFacts, signal: AbortSignal): Promise<DhcpLook> {
	const link = facts.interfaces.find(({ name }) => name === answers.interface);
	if (link === undefined) return { outcome: "could-not-look", why: "the interface is not there" };
	return lookForDhcp(link, { signal, own: ownAddresses(facts) });
}

type Note = (level: "info" | "warning", message: string) => void;

async function passwordOf({ name, passwordFile }: HostAnswer, file: string, note: Note): Promise<string> {
	if (passwordFile === undefined)
		throw new IronstrapError({
			code: "answers-invalid",
			message: `the host ${name} has no \`passwordFile\``,
			where: { file, line: 1, column: 1 },
			fix: "put the BMC's password into a file (mode 0600) and name it; passwords are not taken from the answers",
		});
	const { password, exposed } = await readPasswordFile(passwordFile);
	if (exposed) note("warning", `others can read ${passwordFile}: chmod 600 it`);
	return password;
}

async function probeHost(
	host: HostAnswer,
	context: {
		password: string;
		boot: BootMethod | undefined;
		file: string;
		signal: AbortSignal;
		note: Note;
	},
): Promise<HostAnswer> {
	const { password, boot, file, signal, note } = context;
	const credentials = { username: host.username, password };
	const probe = await probeBmc(parseProbeTarget(host.bmc), { credentials, boot, signal });
	for (const warning of probe.warnings) note("warning", `BMC of ${host.name}: ${warning}`);
	if (probe.redfish !== undefined && probe.authentication !== "accepted")
		throw new IronstrapError({
			code: "bmc-login",
			message: `the BMC of ${host.name} could not be read`,
			seen: probe.warnings[0],
			fix: `try it by itself: \`ironstrap bmc probe ${host.bmc} --username ${host.username} --password-file FILE\``,
		});
	const [proposal, another] = probe.proposals;
	if (proposal === undefined || another !== undefined)
		throw new IronstrapError({
			code: "answers-invalid",
			message: `the BMC of ${host.name} has ${probe.proposals.length} systems`,
			where: { file, line: 1, column: 1 },
			seen: probe.proposals.map(({ address }) => address).join(", "),
			fix: "write one of these addresses as the host's `bmc`",
		});
	return completeHost(host, proposal);
}
