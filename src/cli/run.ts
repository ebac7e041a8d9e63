import { faultsOf } from "../lib/errors.ts";
import { interrupted } from "../steps/run.ts";
import { exitCodes } from "./exit-codes.ts";
import { openReporter } from "./render/open.ts";
import type { Reporter } from "./render/reporter.ts";

export interface CommandTools {
	readonly report: Reporter;
	/** Aborted by the first Ctrl-C or TERM; a second one ends the process at once. */
	readonly signal: AbortSignal;
}

/** Faults in what the user typed or wrote: nothing was touched, and the exit code says so. */
const usageCodes = new Set([
	"usage",
	"bmc-address-invalid",
	"bmc-systems-several",
	"bmc-systems-taken",
	"bmc-mac-unknown",
	"site-exists",
	"site-unknown",
	"site-ambiguous",
	"needs-confirmation",
	"host-unknown",
	"host-ambiguous",
	"host-declared",
	"host-undeclared",
	"host-verb-refused",
	"backup-exists",
	"backup-unwritable",
	"backup-unreadable",
	"backup-locked",
	"age-recipient-invalid",
	"restore-site-exists",
]);

/**
 * Runs a command's handler with a reporter and signal handling; turns whatever it throws into a report and an
 * exit code. Nothing thrown inside reaches a person as a bare stack. `redraws: false` for a command that draws on the
 * terminal itself.
 */
export async function runCommand(
	json: boolean | undefined,
	work: (tools: CommandTools) => Promise<number | undefined>,
	{ redraws = true }: { readonly redraws?: boolean } = {},
): Promise<number> {
	const opened = await openReporter(json === true, redraws);
	let changed = false;
	const report: Reporter = {
		...opened,
		emit(event) {
			changed ||= event.type === "step-started";
			opened.emit(event);
		},
	};
	const controller = new AbortController();
	const onSignal = (name: NodeJS.Signals) => {
		if (controller.signal.aborted) process.exit(exitCodes.interrupted);
		controller.abort(interrupted(name));
	};
	process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
	try {
		return (await work({ report, signal: controller.signal })) ?? exitCodes.ok;
	} catch (error) {
		report.fail(error);
		return exitCodeOf(error, changed);
	} finally {
		process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
		report.close();
	}
}

/** `changed`: a step had begun, so that it would be wrong to say that nothing was touched. */
function exitCodeOf(error: unknown, changed: boolean): number {
	const faults = faultsOf(error);
	const code = faults[0]?.code ?? "unexpected";
	if (code === "interrupted") return exitCodes.interrupted;
	if (code === "site-busy") return exitCodes.busy;
	// a fault with a place in the user's text, or in the command line: the input is what must change
	const isInput = usageCodes.has(code) || faults.some(({ where }) => where !== undefined);
	if (isInput && !changed) return exitCodes.usage;
	return exitCodes.failed;
}
