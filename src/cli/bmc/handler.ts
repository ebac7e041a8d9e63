import { probeBmc } from "../../bmc/probe.ts";
import { parseProbeTarget } from "../../bmc/target.ts";
import { bootMethod, type LogInFlags, readCredentials } from "../bmc-log-in.ts";
import type { CommonOptions } from "../command.ts";
import { probeText } from "../render/probe.ts";
import { runCommand } from "../run.ts";

export interface ProbeFlags extends CommonOptions, LogInFlags {
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
