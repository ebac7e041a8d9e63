import { readFileSync, rmSync } from "node:fs";
import { IronstrapError } from "../../src/lib/errors.ts";
import { LAB_RUN_DIRECTORY } from "../sandbox/mounts.ts";
import type { Sandbox } from "../sandbox.ts";
import { faultsIn, ironstrap, type Outcome } from "./product.ts";

/** Just before or just after a record of the journal reached the disk. */
export interface Moment {
	readonly command: string;
	readonly step: string;
	readonly phase: string;
	readonly when: "before" | "after";
	/** Milliseconds that the process lives on after it. */
	readonly late?: number | undefined;
}

const nodeFlags = ["--import", new URL("../crash.js", import.meta.url).href];
const list = `${LAB_RUN_DIRECTORY}/moments`;

/** `after begin stack:files`, as lab/crash.ts names it. */
export function nameOf({ late, phase, step, when }: Moment): string {
	return `${when} ${phase} ${step}${late === undefined ? "" : ` +${late / 1000} s`}`;
}

/** Runs the command to its end and tells at which moments it could be killed. */
export async function listMoments(
	sandbox: Sandbox,
	args: readonly string[],
): Promise<{ readonly outcome: Outcome; readonly moments: readonly Moment[] }> {
	rmSync(sandbox.path(list), { force: true });
	const outcome = await ironstrap(sandbox, args, { nodeFlags, env: { IRONSTRAP_CRASH_LIST: list } });
	return { outcome, moments: readMoments(sandbox) };
}

/**
 * Runs the command and has it killed at this moment. Errors: `lab-crash-missed` when it ended otherwise or never came
 * there.
 */
export async function killAt(sandbox: Sandbox, args: readonly string[], moment: Moment): Promise<void> {
	rmSync(sandbox.path(list), { force: true });
	const { late, ...exact } = moment;
	const outcome = await ironstrap(sandbox, args, {
		nodeFlags,
		env: {
			IRONSTRAP_CRASH_LIST: list,
			IRONSTRAP_CRASH_AT: nameOf(exact),
			...(late === undefined ? {} : { IRONSTRAP_CRASH_LATE: String(late) }),
		},
	});
	const seen = readMoments(sandbox);
	const there = late === undefined ? seen.slice(-1) : seen;
	const died = outcome.result?.type !== "result" && outcome.result?.type !== "error";
	if (died && there.some((each) => nameOf(each) === nameOf(exact))) return;
	throw new IronstrapError({
		code: "lab-crash-missed",
		message: `ironstrap ${args.join(" ")} was not killed at: ${nameOf(moment)}`,
		seen: `it came to: ${seen.map(nameOf).join(", ")}\n${faultsIn(outcome)}`,
	});
}

function readMoments(sandbox: Sandbox): readonly Moment[] {
	return momentsIn(sandbox.path(list));
}

/** The moments in a file that lab/crash.ts wrote, outside; none if it is not there. */
export function momentsIn(path: string): readonly Moment[] {
	let text = "";
	try {
		text = readFileSync(path, "utf8");
	} catch {
		// no record was written: no moment
	}
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => {
			const [, when, phase, step = "", ...command] = line.split(" ");
			return {
				command: command.join(" "),
				step,
				phase: phase ?? "",
				when: when === "before" ? when : "after",
			};
		});
}
