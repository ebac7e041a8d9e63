import { LAB_RUN_DIRECTORY } from "./sandbox/mounts.ts";
import type { Sandbox } from "./sandbox.ts";
import { until } from "./until.ts";

export interface TerminalOptions {
	readonly env?: Readonly<Record<string, string>> | undefined;
	/** Default 80 × 24, the smallest that programs are written for. */
	readonly columns?: number | undefined;
	readonly rows?: number | undefined;
}

/** A program on a real terminal (tmux's), and a person in front of it. */
export interface LabTerminal {
	/** What is visible now, blanks at line ends left out. */
	screen(): Promise<string>;
	/** The same with everything that has scrolled away before it. */
	transcript(): Promise<string>;
	/** Whether anything of that has a colour. */
	isColoured(): Promise<boolean>;
	/** Waits until the visible text matches. Errors: `lab-deadline`, with the screen. */
	sees(pattern: RegExp, deadlineMs?: number): Promise<string>;
	/** Types a text as it is; keys such as `Enter`, `Down`, `C-c` have a method of their own. */
	type(text: string): Promise<void>;
	press(...keys: readonly string[]): Promise<void>;
	/** Waits for the program's end and returns its exit code. */
	ended(deadlineMs?: number): Promise<number>;
}

const SOCKET = `${LAB_RUN_DIRECTORY}/tmux.sock`;
let windows = 0;

/** What follows ECMA-48's control sequence introducer where a foreground or background is set. */
const COLOUR = /^(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]/;

/** Waits for a line before it starts the program ($0: file for its exit code); a Ctrl-C is the program's alone. */
const RUN = 'trap : INT; read -r _; "$@"; echo $? >"$0.new"; mv "$0.new" "$0"';

/** Starts a program in a terminal inside the sandbox; both end with it at the latest. */
export async function openTerminal(
	sandbox: Sandbox,
	command: readonly string[],
	{ env = {}, columns = 80, rows = 24 }: TerminalOptions = {},
): Promise<LabTerminal> {
	const name = `lab-${windows++}`;
	const target = `${name}:0`;
	const status = `${LAB_RUN_DIRECTORY}/${name}.status`;
	const tmux = (...args: readonly string[]) =>
		sandbox.run("tmux", ["-S", SOCKET, "-f", "/dev/null", ...args], { env: { LANG: "C.UTF-8" } });
	const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
	await tmux(
		...["new-session", "-d", "-s", name, "-x", String(columns), "-y", String(rows)],
		...["env", ...variables, "sh", "-c", RUN, status, ...command],
		// set before the program starts, which waits for its first line: what it leaves behind must stay readable
		...[";", "set-option", "-t", target, "remain-on-exit", "on"],
		...[";", "set-option", "-t", target, "status", "off"],
	);
	const text = async (...more: readonly string[]) =>
		(await tmux("capture-pane", "-p", "-t", target, ...more)).stdout.replace(/[ \t]+$/gm, "").trimEnd();
	const press = async (...keys: readonly string[]) => void (await tmux("send-keys", "-t", target, ...keys));
	await press("Enter");
	let last = "";
	return {
		screen: () => text(),
		transcript: () => text("-S", "-"),
		async isColoured() {
			const [, ...sequences] = (await text("-S", "-", "-e")).split("\u001b[");
			return sequences.some((sequence) => COLOUR.test(sequence));
		},
		async sees(pattern, deadlineMs = 20_000) {
			return until(
				async () => {
					last = await text();
					return pattern.test(last) && last;
				},
				{ what: `${pattern} on the terminal`, deadlineMs, seen: () => last },
			);
		},
		type: async (typed) => void (await tmux("send-keys", "-t", target, "-l", "--", typed)),
		press,
		async ended(deadlineMs = 30_000) {
			// not tmux's word for it: it overlooks an end that comes together with the last output
			const code = await until(
				async () => {
					last = await text();
					return (await sandbox.run("cat", [status], { reject: false })).stdout.trim() || undefined;
				},
				{ what: "the program on the terminal to end", deadlineMs, seen: () => last },
			);
			return Number(code);
		},
	};
}
