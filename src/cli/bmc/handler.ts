import { probeBmc } from "../../bmc/probe.ts";
import { parseProbeTarget } from "../../bmc/target.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { Credentials } from "../../resources/credentials.ts";
import type { CommonOptions } from "../command.ts";
import { readPasswordFile } from "../password-file.ts";
import { probeText } from "../render/probe.ts";
import type { Reporter } from "../render/reporter.ts";
import { runCommand } from "../run.ts";

export interface ProbeFlags extends CommonOptions {
	readonly username?: string;
	readonly passwordFile?: string;
	readonly boot?: string;
}

export function runProbe(address: string, flags: ProbeFlags): Promise<number> {
	return runCommand(flags.json, async ({ report, signal }) => {
		const target = parseProbeTarget(address);
		const boot = bootMethod(flags.boot);
		const credentials = await readCredentials(flags, report);
		const probe = await probeBmc(target, { credentials, boot, signal });
		report.result({ ...probe }, probeText(probe));
		return undefined;
	});
}

async function readCredentials(
	{ username, passwordFile }: ProbeFlags,
	report: Reporter,
): Promise<Credentials | undefined> {
	if (username === undefined && passwordFile === undefined) return undefined;
	if (username === undefined || passwordFile === undefined)
		throw new IronstrapError({
			code: "usage",
			message: "a log-in needs both --username and --password-file",
			fix: "give both; --password-file - reads the password from standard input",
		});
	const { password, exposed } = await readPasswordFile(passwordFile);
	if (exposed)
		report.emit({ type: "note", level: "warning", message: `others can read ${passwordFile}: chmod 600 it` });
	return { username, password };
}

function bootMethod(text: string | undefined): "network" | "virtual-media" | undefined {
	if (text === undefined || text === "network" || text === "virtual-media") return text;
	throw new IronstrapError({
		code: "usage",
		message: `there is no way to boot called ${text}`,
		fix: "give --boot network or --boot virtual-media, or leave it out",
	});
}
