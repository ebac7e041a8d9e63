import { createInterface } from "node:readline";
import { ended, interruption, startGroup } from "./processes.mjs";
import { root } from "./project.mjs";
import { secondsSince } from "./tally.mjs";

/**
 * Runs a command as one test: exit code 0 within the deadline passes. Its output is shown when it fails, or as it
 * comes with `live`.
 */
export async function runCommand(
	tally,
	title,
	argv,
	{ live = false, deadlineMs = 600_000, env = process.env } = {},
) {
	if (interruption()) return tally.fail(`${title}: not run, interrupted`);
	const start = performance.now();
	const child = startGroup(argv, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
	let late = false;
	const deadline = setTimeout(() => {
		late = true;
		child.kill("SIGKILL");
	}, deadlineMs);
	const output = [];
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream }).on("line", (line) =>
			live ? tally.note(`  ${line}`) : output.push(line),
		);
	}
	const result = await ended(child);
	clearTimeout(deadline);
	if (result === 0) return tally.pass(`${title} (${secondsSince(start)})`);
	const reason = late ? `not done after ${deadlineMs / 1000} s` : `ended with ${result}`;
	tally.fail(`${title}: ${interruption() ? "interrupted" : reason} (${secondsSince(start)})`);
	for (const line of output) tally.note(`  ${line}`);
}
