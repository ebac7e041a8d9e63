import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

export interface GuardedCommand {
	readonly stdout: Readable;
	readonly stderr: Readable;
	/** Settles when the command has ended and its output is read; false if it failed. Never rejects. */
	readonly succeeded: Promise<boolean>;
}

/**
 * Runs a command that mounts file systems and starts daemons (package scripts do) in mount and process namespaces of
 * its own, which end with this process, however it ends: the kernel kills `unshare` with its parent, `unshare` takes
 * the namespace's first process with it, and with that one go everything else in the namespace and all its mounts.
 *
 * @param signal ends it likewise
 */
export function runGuarded(
	command: readonly string[],
	environment: Readonly<Record<string, string>>,
	signal: AbortSignal,
): GuardedCommand {
	const namespaces = [
		"--mount",
		"--pid",
		"--fork",
		"--kill-child",
		"--mount-proc",
		"--propagation",
		"private",
	];
	const child = spawn("setpriv", ["--pdeathsig", "KILL", "unshare", ...namespaces, ...command], {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, ...environment },
		signal,
		killSignal: "SIGKILL", // unshare ignores SIGTERM while it waits for its child
	});
	child.on("error", () => undefined); // also emitted on abort; "close" follows with a code that is not 0
	const succeeded = new Promise<boolean>((resolve) => child.once("close", (code) => resolve(code === 0)));
	return { stdout: child.stdout, stderr: child.stderr, succeeded };
}
