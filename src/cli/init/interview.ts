import type { Answers } from "../../init/answers.ts";
import { noAnswers } from "../../init/answers.ts";
import { foreignServers } from "../../init/boot-method.ts";
import { drawNetwork } from "../../init/drawing.ts";
import { loginInterface, type MachineFacts } from "../../init/facts.ts";
import { planSite, type SitePlan } from "../../init/plan.ts";
import { readSavedAnswers, SAVED_ANSWERS, saveAnswers } from "../../init/saved-answers.ts";
import { faultsOf, IronstrapError, IronstrapErrors } from "../../lib/errors.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { askFiles } from "./ask-files.ts";
import { askHosts } from "./ask-hosts.ts";
import { askBoot, askInterface, askRange, lookOnce } from "./ask-network.ts";
import type { Decided, Interview } from "./context.ts";

/**
 * Asks a person, proposing an answer to everything. What was answered before an interruption is not asked again.
 * Errors: `interrupted`, `init-declined`.
 */
export async function interview(input: {
	directory: string;
	facts: MachineFacts;
	signal: AbortSignal;
}): Promise<Decided> {
	const { directory, facts, signal } = input;
	const terminal = openTerminal(signal);
	const context: Interview = {
		...{ terminal, facts, signal, passwords: new Map() },
		async save(answers) {
			await saveAnswers(directory, answers);
			return answers;
		},
	};
	try {
		return { plan: await agree(directory, context), passwords: context.passwords };
	} finally {
		terminal.close();
	}
}

async function agree(directory: string, context: Interview): Promise<SitePlan> {
	const { terminal, facts } = context;
	terminal.say(greeting(facts));
	let answers = await resume(directory, terminal);
	answers = await askInterface(answers, context);
	const dhcp = await lookOnce(answers, context);
	answers = await askBoot(answers, dhcp, context);
	answers = await askHosts(answers, context);
	answers = await askRange(answers, dhcp, context);
	answers = await askFiles(answers, context);
	const plan = checked(answers, facts);
	const options = { unicode: terminal.unicode, foreignDhcp: foreignServers(dhcp) };
	terminal.show(drawNetwork(plan, facts, options));
	if (!(await terminal.confirm(`Write this site to ${directory}?`, true))) throw declined(directory);
	return plan;
}

function greeting(facts: MachineFacts): string {
	const { engine, time, login } = facts;
	const own = loginInterface(facts);
	return [
		"ironstrap init writes a folder of manifests; nothing on this machine is changed.",
		"Each question has a proposal: ENTER takes it. Ctrl-C keeps what was answered.",
		"",
		engine.found
			? `  engine   ${engine.name} (${engine.socket})`
			: "  engine   none answers; `up` will need Podman or Docker",
		login === undefined
			? "  you      on this machine itself"
			: `  you      from ${login.from}, over ${own?.name ?? login.to}`,
		{
			synchronised: "  time     follows a time server",
			"not-synchronised": "  time     does NOT follow a time server: certificates may be refused; set up NTP",
			unknown: "  time     whether it follows a time server could not be seen",
		}[time],
		"",
	].join("\n");
}

async function resume(directory: string, terminal: Terminal): Promise<Answers> {
	const saved = await readSavedAnswers(directory);
	if (saved === undefined) return noAnswers;
	const hosts = saved.hosts.length === 0 ? "" : `, ${saved.hosts.length} hosts`;
	terminal.say(`Answers of an earlier run are in ${directory}/${SAVED_ANSWERS}${hosts}.`);
	return (await terminal.confirm("Go on from there?", true)) ? saved : noAnswers;
}

/** What is left after each answer was checked by itself; told without a file, because the person typed it. */
function checked(answers: Answers, facts: MachineFacts): SitePlan {
	try {
		return planSite(answers, facts, SAVED_ANSWERS);
	} catch (error) {
		throw new IronstrapErrors(
			faultsOf(error).map(
				({ code, message, seen }) =>
					new IronstrapError({
						...{ code, message, seen },
						fix: "run it again and do not go on from the old answers",
					}),
			),
		);
	}
}

function declined(directory: string): IronstrapError {
	return new IronstrapError({
		code: "init-declined",
		message: "nothing was written",
		fix: `your answers are kept in ${directory}/${SAVED_ANSWERS}: edit them and run \`ironstrap init ${directory}\` again`,
	});
}
