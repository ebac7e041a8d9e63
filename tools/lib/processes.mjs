import { spawn } from "node:child_process";

/** Process groups that were started here and have not ended. */
const groups = new Set();

let interruptedBy;
let interruptedAt = 0;

/** The first signal that asked this process to stop, or undefined. */
export const interruption = () => interruptedBy;

/**
 * Starts a command as the leader of a process group of its own, so that Ctrl-C reaches this process alone, and
 * whatever the command leaves behind can be ended with it. Options are those of `spawn`.
 */
export function startGroup([command, ...args], options) {
	const child = spawn(command, args, { ...options, detached: true });
	const { pid } = child;
	if (pid !== undefined) {
		groups.add(pid);
		// On exit, not on close: a process that was left behind may hold the pipes open.
		child.once("exit", () => {
			signalGroup(pid, "SIGKILL");
			groups.delete(pid);
		});
	}
	return child;
}

/** Resolves when the child is gone and its output was read: its exit code, else the signal, else why it did not start. */
export function ended(child) {
	return new Promise((resolve) => {
		child.once("error", (error) => resolve(error.message));
		child.once("close", (code, signal) => resolve(code ?? signal));
		// A daemon that left the group can still hold the pipes; nothing it writes is a result.
		child.once("exit", () => {
			const drained = setTimeout(() => {
				child.stdout?.destroy();
				child.stderr?.destroy();
			}, 5_000);
			child.once("close", () => clearTimeout(drained));
		});
	});
}

/**
 * The first signal asks every group to stop, the second kills them; so does `graceMs` without an end. Groups are also
 * killed when this process ends by itself. AVA reports what was pending on SIGINT alone: whatever came is passed on as that.
 */
export function forwardSignals({ graceMs = 20_000 } = {}) {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
		process.on(signal, () => {
			if (interruptedBy === undefined) {
				interruptedBy = signal;
				interruptedAt = performance.now();
				for (const group of groups) signalGroup(group, "SIGINT");
				setTimeout(killGroups, graceMs).unref();
				return;
			}
			// One Ctrl-C can come twice: from the terminal, and from a parent that it has ended.
			if (performance.now() - interruptedAt > 500) killGroups();
		});
	}
	process.on("exit", killGroups);
}

function killGroups() {
	for (const group of groups) signalGroup(group, "SIGKILL");
}

function signalGroup(pid, signal) {
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if (error.code !== "ESRCH") throw error;
	}
}
