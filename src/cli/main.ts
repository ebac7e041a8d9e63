import { Command, CommanderError } from "commander";
import { backupCommand } from "./backup/command.ts";
import { bmcCommand } from "./bmc/command.ts";
import { composeCommand } from "./compose/command.ts";
import { downCommand } from "./down/command.ts";
import { envCommand } from "./env/command.ts";
import { exitCodes } from "./exit-codes.ts";
import { fenceCommand } from "./fence/command.ts";
import { hostsCommand } from "./hosts/command.ts";
import { imagesCommand } from "./images/command.ts";
import { importCommand } from "./import/command.ts";
import { initCommand } from "./init/command.ts";
import { lintCommand } from "./lint/command.ts";
import { logsCommand } from "./logs/command.ts";
import { pivotCommand } from "./pivot/command.ts";
import { restoreCommand } from "./restore/command.ts";
import { statusCommand } from "./status/command.ts";
import { systemdCommand } from "./systemd/command.ts";
import { upCommand } from "./up/command.ts";
import { version } from "./version.ts";

/**
 * Parses the command line and runs the command; returns the exit code. Only commander and the commands' own
 * declarations are loaded here: each handler is imported when its command runs, so that `--help` is instant.
 */
export async function main(args: readonly string[]): Promise<number> {
	const program = new Command("ironstrap")
		.description("Turn this machine into the thing that boots a data centre's first servers.")
		.version(version)
		.showHelpAfterError("(run `ironstrap --help` for the commands)")
		.exitOverride();
	let exitCode = 0;
	const run = (code: number) => {
		exitCode = code;
	};
	for (const command of [
		initCommand,
		upCommand,
		statusCommand,
		hostsCommand,
		logsCommand,
		envCommand,
		fenceCommand,
		pivotCommand,
		downCommand,
		backupCommand,
		restoreCommand,
		lintCommand,
		importCommand,
		composeCommand,
		systemdCommand,
		imagesCommand,
		bmcCommand,
	])
		program.addCommand(endingHere(command(run)));
	try {
		await program.parseAsync(args, { from: "user" });
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		// --help and --version end here too, with code 0
		return error.exitCode === 0 ? 0 : exitCodes.usage;
	}
	return exitCode;
}

/** Commander would end the process by itself on `COMMAND --help` and on a wrong option: ready-made commands do not inherit this. */
function endingHere(command: Command): Command {
	for (const inner of command.commands) endingHere(inner);
	return command.exitOverride();
}
