import { randomInt } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import test from "ava";
import { createProject, outcomeOf, start } from "./project.ts";

/** A test of the fixture that leaves a daemon in a session of its own, says so, and never ends. */
function endless(seconds: number): string {
	return [
		'import { spawn } from "node:child_process";',
		'import test from "ava";',
		'test("endless", async (t) => {',
		`\tspawn("setsid", ["--fork", "sleep", "${seconds}"], { stdio: "ignore" });`,
		"\tt.timeout(3_600_000);",
		"\tawait new Promise(() => setInterval(() => {}, 1_000));",
		"});",
		"",
	].join("\n");
}

const runner = [
	'import { lifetime } from "./tools/lib/lifetime.mjs";',
	'import { forwardSignals } from "./tools/lib/processes.mjs";',
	'import { runSuite } from "./tools/lib/suite.mjs";',
	'import { createTally } from "./tools/lib/tally.mjs";',
	"forwardSignals();",
	"const tally = createTally();",
	'await runSuite(tally, "unit", { wrap: lifetime });',
	"console.log(tally.summary());",
	"process.exitCode = tally.succeeded() ? 0 : 1;",
	"",
].join("\n");

test("killing the runner leaves no process, daemons included", async (t) => {
	const { child, seconds } = await startEndless(t);
	child.kill("SIGKILL");
	t.is((await outcomeOf(child)).end, "SIGKILL");
	await until(async () => (await sleepers(seconds)) === 0, "the daemon to be gone");
	t.pass();
});

test("the first signal ends a run in order: it is counted as failed, and nothing is left", async (t) => {
	const { child, seconds } = await startEndless(t);
	child.kill("SIGTERM");
	const { end, stdout, lastLine } = await outcomeOf(child);
	t.is(lastLine, "0 passed, 1 failed");
	t.regex(stdout, /✘ unit: interrupted/);
	t.is(end, 1);
	t.is(await sleepers(seconds), 0);
});

async function startEndless(t: Parameters<typeof createProject>[0]) {
	const seconds = randomInt(1_000_000, 9_999_999); // tells our daemon from any other `sleep`
	const project = await createProject(t, {
		"runner.mjs": runner,
		"dist/test/unit/endless.test.js": endless(seconds),
	});
	const child = start(project, [process.execPath, "runner.mjs"]);
	t.teardown(() => child.kill("SIGKILL"));
	await until(async () => (await sleepers(seconds)) === 1, "the daemon to run");
	return { child, seconds };
}

/** How many processes of this machine run `sleep SECONDS`. */
async function sleepers(seconds: number): Promise<number> {
	const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
	const commands = await Promise.all(
		pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
	);
	return commands.filter((command) => command === `sleep\0${seconds}\0`).length;
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
	const deadline = performance.now() + 20_000;
	while (!(await holds())) {
		if (performance.now() > deadline) throw new Error(`gave up waiting for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
