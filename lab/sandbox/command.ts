import { readFileSync } from "node:fs";
import { execa, type Options, type Result } from "execa";
import { IronstrapError } from "../../src/lib/errors.ts";

export interface RunOptions {
	/** Added to a bare environment (path, home, language). The place for secrets: arguments are seen by everyone. */
	readonly env?: Readonly<Record<string, string>> | undefined;
	/** Standard input; empty if left out. */
	readonly input?: string | Uint8Array | undefined;
	/** Working directory, a path inside the sandbox. */
	readonly cwd?: string | undefined;
	/** After this the command gets SIGTERM, five seconds later SIGKILL, and the run fails. */
	readonly timeoutMs?: number | undefined;
	/** false: a failing command is an answer (look at `exitCode`), not an error. Default true. */
	readonly reject?: boolean | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface SpawnOptions {
	readonly env?: Readonly<Record<string, string>> | undefined;
	readonly cwd?: string | undefined;
	/** File that gets standard output and standard error (appended); an outside path. Default: both piped. */
	readonly log?: string | undefined;
}

/** How a command ended: execa's result with text streams. */
export type CommandResult = Result<{ encoding: "utf8"; reject: false }>;

/** A long-running command in a sandbox. */
export interface SandboxProcess {
	/** Its process id as seen from outside, undefined before it runs and after it ended. */
	pid(): number | undefined;
	/** Signals the command itself. False if it is not running (any more). */
	kill(signal?: NodeJS.Signals): boolean;
	/** Settles when the command has ended; never rejects. */
	readonly result: Promise<CommandResult>;
	readonly stdout: NodeJS.ReadableStream | undefined;
	readonly stderr: NodeJS.ReadableStream | undefined;
}

/** Grace between SIGTERM and SIGKILL of a command that exceeds its time. */
const KILL_AFTER_MS = 5000;

/** Starts a command in all namespaces of the process `pid1`. It gets SIGTERM when nsenter (or its parent) dies. */
export function enter(
	pid1: number,
	command: string,
	args: readonly string[],
	{ env, cwd, input, log }: SpawnOptions & Pick<RunOptions, "input">,
): SandboxProcess {
	// nsenter forks and passes no signal on: the death signal and the lookup of its child make up for it.
	const inside = ["setpriv", "--pdeathsig", "TERM", "--", ...(cwd === undefined ? [] : ["env", "-C", cwd])];
	const output = log === undefined ? "pipe" : { file: log, append: true as const };
	const options = {
		reject: false,
		encoding: "utf8",
		extendEnv: false,
		env: { ...bareEnvironment(), ...env },
		...(input === undefined ? { stdin: "ignore" } : { input }),
		stdout: output,
		stderr: output,
	} satisfies Options;
	const subprocess = execa("nsenter", ["-t", String(pid1), "-a", "--", ...inside, command, ...args], options);
	const pid = () => (subprocess.pid === undefined ? undefined : firstChild(subprocess.pid));
	return {
		pid,
		kill(signal = "SIGTERM") {
			const inner = pid();
			return inner !== undefined && signalled(inner, signal);
		},
		result: Promise.resolve(subprocess as unknown as Promise<CommandResult>),
		stdout: subprocess.stdout ?? undefined,
		stderr: subprocess.stderr ?? undefined,
	};
}

/** Runs a command to its end. Errors: `lab-command-failed`, `lab-command-timeout`, or the signal's reason. */
export async function runInside(
	pid1: number,
	command: string,
	args: readonly string[],
	options: RunOptions,
): Promise<CommandResult> {
	options.signal?.throwIfAborted();
	const child = enter(pid1, command, args, options);
	let timedOut = false;
	const end = () => {
		child.kill("SIGTERM");
		setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS).unref();
	};
	const timer =
		options.timeoutMs === undefined
			? undefined
			: setTimeout(() => {
					timedOut = true;
					end();
				}, options.timeoutMs);
	options.signal?.addEventListener("abort", end, { once: true });
	const result = await child.result.finally(() => {
		clearTimeout(timer);
		options.signal?.removeEventListener("abort", end);
	});
	options.signal?.throwIfAborted();
	if (timedOut) {
		throw new IronstrapError({
			code: "lab-command-timeout",
			message: `${command} did not end within ${options.timeoutMs} ms`,
			seen: tail(result),
			fix: "Raise the time if the machine is busy; otherwise its output says what it waits for",
		});
	}
	if (result.failed && options.reject !== false) {
		throw new IronstrapError({
			code: "lab-command-failed",
			message: `${command} failed in the sandbox (${result.signal ?? `exit code ${result.exitCode}`})`,
			seen: tail(result),
			fix: `Run it by hand: ${command} ${args.join(" ")}`,
		});
	}
	return result;
}

/**
 * The sandbox is another machine: this one's proxies, certificate bundles and tool settings are not valid there.
 * What goes along is what a log-in would set, and what the test runner measures coverage with.
 */
function bareEnvironment(): Record<string, string> {
	const { HOME = "/root", LANG = "C.UTF-8", TERM = "dumb", NODE_V8_COVERAGE } = process.env;
	const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	return { PATH, HOME, LANG, TERM, ...(NODE_V8_COVERAGE === undefined ? {} : { NODE_V8_COVERAGE }) };
}

function tail(result: CommandResult): string {
	return `${result.stdout ?? ""}\n${result.stderr ?? ""}`.trim().slice(-2000);
}

function firstChild(pid: number): number | undefined {
	try {
		const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
		return children === "" ? undefined : Number(children.split(" ")[0]);
	} catch {
		return undefined;
	}
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
}
