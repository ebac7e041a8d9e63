import { type ChildProcess, spawn as spawnChild } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { IronstrapError } from "../src/lib/errors.ts";
import {
	createCgroups,
	leaveCgroupRoot,
	removeCgroups,
	type SandboxCgroups,
	sweepCgroups,
} from "./sandbox/cgroups.ts";
import {
	type CommandResult,
	enter,
	type RunOptions,
	runInside,
	type SandboxProcess,
	type SpawnOptions,
} from "./sandbox/command.ts";
import { mountScript } from "./sandbox/mounts.ts";
import { until } from "./until.ts";

export interface SandboxOptions {
	/** Host name inside. Default `ironstrap-lab`. */
	readonly name?: string | undefined;
	/** Aborting it stops the sandbox. */
	readonly signal?: AbortSignal | undefined;
	/** How long stop() waits for the processes inside to end by themselves. Default 5000. */
	readonly stopTimeoutMs?: number | undefined;
}

/**
 * A machine within the machine: mount, network, IPC, UTS, PID and cgroup namespaces of its own. Everything in it
 * (processes, mounts, links, firewall) ends with the process that started it, however that ends.
 */
export interface Sandbox {
	readonly name: string;
	/** Process id of its first process, as seen from outside. */
	readonly pid1: number;
	/** Its root directory as seen from outside: `/proc/PID/root`. */
	readonly root: string;
	/** The outside name of an absolute path inside. */
	path(inside: string): string;
	run(command: string, args?: readonly string[], options?: RunOptions): Promise<CommandResult>;
	spawn(command: string, args?: readonly string[], options?: SpawnOptions): SandboxProcess;
	/** SIGTERM to all inside, a short wait, then the end of the namespaces. Can be called twice. */
	stop(): Promise<void>;
}

let sequence = 0;

/** Starts a sandbox (about 0.1 s). Needs root. Errors: `lab-sandbox-failed`. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { name = "ironstrap-lab", signal, stopTimeoutMs = 5000 } = options;
	signal?.throwIfAborted();
	sweepCgroups();
	const cgroups = createCgroups(sequence++);
	const keeper = startKeeper(cgroups);
	let stopping: Promise<void> | undefined;
	try {
		const pid1 = await firstProcess(keeper);
		leaveCgroupRoot(cgroups, [keeper.child.pid ?? pid1, pid1]);
		await runInside(pid1, "sh", ["-e"], {
			input: `hostname ${name}\n${mountScript({ cgroup: cgroups.name, unified: cgroups.unified })}`,
		});
		const root = `/proc/${pid1}/root`;
		const stop = () => {
			stopping ??= stopSandbox({ keeper, pid1, root, cgroups, stopTimeoutMs });
			return stopping;
		};
		signal?.addEventListener("abort", () => void stop().catch(() => undefined), { once: true });
		return {
			name,
			pid1,
			root,
			path: (inside) => `${root}${inside}`,
			run: (command, args = [], runOptions = {}) => runInside(pid1, command, args, { signal, ...runOptions }),
			spawn: (command, args = [], spawnOptions = {}) => enter(pid1, command, args, spawnOptions),
			stop,
		};
	} catch (error) {
		keeper.child.kill("SIGKILL");
		await keeper.exited;
		await removeCgroups(cgroups);
		throw error;
	}
}

interface Keeper {
	readonly child: ChildProcess;
	readonly exited: Promise<void>;
	stderr(): string;
}

/**
 * The process that holds the namespaces. The kernel kills it with this process (death signal), it takes its child
 * along (--kill-child), and the first process of a PID namespace takes everything in it. Its own process group
 * keeps a terminal's Ctrl-C away from it. `unshare` ignores SIGTERM: it is ended by SIGKILL.
 */
function startKeeper(cgroups: SandboxCgroups): Keeper {
	const unshare =
		"unshare --mount --net --ipc --uts --pid --cgroup --fork --kill-child --mount-proc --propagation private";
	const script = `for group; do echo $$ > "$group/cgroup.procs"; done; exec ${unshare} catatonit -P`;
	const child = spawnChild(
		"setpriv",
		["--pdeathsig", "KILL", "sh", "-ec", script, "sh", ...cgroups.directories],
		{
			detached: true,
			stdio: ["ignore", "ignore", "pipe"],
		},
	);
	let stderr = "";
	child.stderr?.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	const exited = new Promise<void>((resolve) => {
		child.once("exit", () => resolve());
		child.once("error", (error) => {
			stderr += error.message;
			resolve();
		});
	});
	// A forgotten sandbox must not keep its owner alive: it dies with it anyway.
	child.unref();
	(child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
	return { child, exited, stderr: () => stderr.trim() };
}

/** Waits until the namespaces are complete: the first process has become the reaper. */
async function firstProcess({ child, stderr }: Keeper): Promise<number> {
	return until(
		() => {
			if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
				throw new IronstrapError({
					code: "lab-sandbox-failed",
					message: "The sandbox's namespaces could not be created",
					seen: stderr(),
					fix: "Run as root, on a kernel with namespaces, with util-linux and catatonit installed",
				});
			}
			const pid = childOf(child.pid);
			return pid !== undefined && commandOf(pid) === "catatonit" && pid;
		},
		{ what: "the sandbox's first process", deadlineMs: 10_000, everyMs: 5, seen: stderr },
	);
}

function childOf(pid: number): number | undefined {
	try {
		return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim()) || undefined;
	} catch {
		return undefined;
	}
}

function commandOf(pid: number): string | undefined {
	try {
		return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
	} catch {
		return undefined;
	}
}

async function stopSandbox(sandbox: {
	keeper: Keeper;
	pid1: number;
	root: string;
	cgroups: SandboxCgroups;
	stopTimeoutMs: number;
}): Promise<void> {
	const { keeper, pid1, root, cgroups, stopTimeoutMs } = sandbox;
	keeper.child.ref();
	await runInside(pid1, "sh", ["-c", "kill -TERM -1"], { reject: false });
	await until(() => otherProcesses(root) === 0, {
		what: "the sandbox's processes to end",
		deadlineMs: stopTimeoutMs,
	}).catch(() => undefined); // the stubborn ones end with their namespace
	// The first process takes all others with it; its parent then reaps it and ends too.
	if (existsSync(`/proc/${pid1}`)) process.kill(pid1, "SIGKILL");
	await keeper.exited;
	await removeCgroups(cgroups);
}

function otherProcesses(root: string): number {
	try {
		return readdirSync(`${root}/proc`).filter((name) => /^\d+$/.test(name) && name !== "1").length;
	} catch {
		return 0;
	}
}
