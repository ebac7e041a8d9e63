import type { BootMethod } from "../init/boot-method.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Credentials } from "../resources/credentials.ts";
import { readPasswordFile } from "./password-file.ts";
import type { Reporter } from "./render/reporter.ts";

/** How a BMC is logged in to, as the command line says it. */
export interface LogInFlags {
	readonly username?: string;
	readonly passwordFile?: string;
}

/** `undefined` where nothing is said. Errors: `usage` for one without the other, `password-unreadable`. */
export async function readCredentials(
	{ username, passwordFile }: LogInFlags,
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

/** What `--boot` says. Errors: `usage`. */
export function bootMethod(text: string | undefined): BootMethod | undefined {
	if (text === undefined || text === "network" || text === "virtual-media") return text;
	throw new IronstrapError({
		code: "usage",
		message: `there is no way to boot called ${text}`,
		fix: "give --boot network or --boot virtual-media, or leave it out",
	});
}
