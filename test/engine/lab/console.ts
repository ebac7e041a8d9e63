import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ExecutionContext } from "ava";
import { until } from "../../../lab/until.ts";

export interface Console {
	readonly lines: readonly string[];
	/** Waits for a line; TCG on a busy machine is slow, hence the deadline. */
	line(pattern: RegExp, deadlineMs?: number): Promise<string>;
	ended(): boolean;
}

/** Boots a virtual machine that reaches nothing but QEMU's own DHCP server; it ends with the test and this process. */
export function boot(t: ExecutionContext, memoryMiB: number, words: readonly string[]): Console {
	const machine = [
		"-machine",
		"q35",
		"-accel",
		"tcg,thread=multi,tb-size=512",
		"-cpu",
		"qemu64",
		"-smp",
		"1",
	];
	const devices = [
		"-m",
		String(memoryMiB),
		"-nodefaults",
		"-display",
		"none",
		"-no-reboot",
		"-serial",
		"stdio",
	];
	const command = ["--pdeathsig", "KILL", "qemu-system-x86_64", ...machine, ...devices, ...words];
	const child = spawn("setpriv", command, { stdio: ["ignore", "pipe", "inherit"] });
	t.teardown(() => void child.kill("SIGKILL"));
	const lines: string[] = [];
	createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
	const find = (pattern: RegExp) => lines.find((line) => pattern.test(line));
	return {
		lines,
		line: (pattern, deadlineMs = 180_000) =>
			until(() => find(pattern), {
				what: `the console line ${pattern}`,
				deadlineMs,
				seen: () => lines.slice(-30).join("\n"),
			}),
		ended: () => child.exitCode !== null || child.signalCode !== null,
	};
}
