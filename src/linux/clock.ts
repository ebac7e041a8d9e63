import { access } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

/** Whether this machine's clock follows a time server. */
export type TimeSync = "synchronised" | "not-synchronised" | "unknown";

/**
 * Asks systemd, which passes on what the kernel knows whichever program keeps the time; then systemd-timesyncd's own
 * mark, then chrony. "unknown" where none of them is there. Changes nothing.
 */
export async function lookAtClock({
	signal,
	root = "/",
}: {
	signal: AbortSignal;
	root?: string | undefined;
}): Promise<TimeSync> {
	const systemd = await output("timedatectl", ["show", "--property=NTPSynchronized", "--value"], signal);
	if (systemd === "yes") return "synchronised";
	if (await exists(join(root, "run/systemd/timesync/synchronized"))) return "synchronised";
	const chrony = await output("chronyc", ["-n", "tracking"], signal);
	if (chrony !== undefined)
		return /Leap status\s*:\s*Not synchronised/i.test(chrony) ? "not-synchronised" : "synchronised";
	return systemd === "no" ? "not-synchronised" : "unknown";
}

async function output(
	command: string,
	args: readonly string[],
	signal: AbortSignal,
): Promise<string | undefined> {
	const result = await execa(command, args, {
		...{ reject: false, stdin: "ignore", timeout: 5000, cancelSignal: signal, stderr: "ignore" },
	});
	signal.throwIfAborted();
	return result.failed ? undefined : result.stdout.trim();
}

function exists(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}
