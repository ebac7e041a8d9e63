import { type Candidate, chooseHosts } from "../../hosts/choose.ts";
import { hostRow } from "../../hosts/rows.ts";
import type { HostVerb } from "../../hosts/verbs.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { driveNamed, hostsOf } from "../../lifecycle/host-verbs.ts";
import { waitForHosts } from "../../lifecycle/host-wait.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { confirm } from "../confirm.ts";
import { durationOf } from "../duration-option.ts";
import type { Reporter } from "../render/reporter.ts";
import { runCommand } from "../run.ts";

export interface VerbFlags extends SiteOptions {
	readonly yes?: boolean;
	readonly hard?: boolean;
}

export interface WaitFlags extends SiteOptions {
	readonly for: string;
	readonly timeout: string;
}

export function runVerb(
	verb: HostVerb,
	words: readonly string[],
	{ json, site, yes = false }: VerbFlags,
): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const loses = verb.kind === "deprovision" || verb.kind === "remove";
		if (loses && !yes) await confirmLoss(words, site, json === true, signal);
		const options = { site, hosts: words, verb, roots: defaultRoots, emit: report.emit, signal };
		tell(report, await driveNamed(options));
		return undefined;
	});
}

export function runPower(state: string, words: readonly string[], flags: VerbFlags): Promise<number> {
	if (state === "on" || state === "off") return runVerb({ kind: "power", on: state === "on" }, words, flags);
	return runCommand(flags.json, () =>
		Promise.reject(
			new IronstrapError({
				code: "usage",
				message: `a host is switched "on" or "off", not ${JSON.stringify(state)}`,
				fix: "for example `ironstrap hosts power off cp-0`",
			}),
		),
	);
}

export function runWait(
	words: readonly string[],
	{ for: condition, json, site, timeout }: WaitFlags,
): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const timeoutMs = durationOf("--timeout", timeout);
		const options = {
			site,
			hosts: words,
			condition,
			timeoutMs,
			roots: defaultRoots,
			emit: report.emit,
			signal,
		};
		tell(report, await waitForHosts(options));
		return undefined;
	});
}

function tell(report: Reporter, hosts: readonly Candidate[]): void {
	const rows = hosts.map((host) => hostRow(host, Date.now()));
	const text = hosts.map(({ name, namespace, stored }) => {
		const { poweredOn, provisioning } = stored?.status ?? {};
		const state =
			provisioning === undefined ? "gone" : `${provisioning.state}, ${poweredOn === true ? "on" : "off"}`;
		return `${namespace}/${name} is ${state}`;
	});
	report.result({ rows }, text.join("\n"));
}

/** What is on a disk does not come back: a person types the name of each host that loses it. */
async function confirmLoss(
	words: readonly string[],
	site: string | undefined,
	json: boolean,
	signal: AbortSignal,
): Promise<void> {
	const chosen = chooseHosts((await hostsOf(site, defaultRoots)).hosts, words);
	const names = chosen.map(({ name }) => name).join(" ");
	await confirm(
		{
			message: `this wipes what ironstrap has deployed on ${names}, and the servers go down`,
			fix: "see `ironstrap hosts describe`, then add --yes",
			answer: names,
			answerIs: chosen.length === 1 ? "the host's name" : "the hosts' names",
		},
		json,
		signal,
	);
}
