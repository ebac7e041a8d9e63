import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ended, interruption, startGroup } from "./processes.mjs";
import { filesBelow, root } from "./project.mjs";
import { secondsSince } from "./tally.mjs";

/**
 * Runs the AVA suite `dist/test/NAME` with a Node binary and counts what its TAP output says, line by line. A suite
 * that is missing or empty, or whose runner dies, is a failed test: silence never passes.
 *
 * `wrap` turns the command line into the one to start. IRONSTRAP_TEST_ONLY leaves only test files with this text in
 * their path.
 */
export async function runSuite(
	tally,
	name,
	{ node = process.execPath, label = name, wrap = (argv) => argv } = {},
) {
	if (interruption()) return tally.fail(`${label}: not run, interrupted`);
	const folder = `dist/test/${name}`;
	if (!existsSync(join(root, folder))) return tally.fail(`${label}: there is no suite ${folder}`);
	const chosen = chooseFiles(folder);
	if (chosen?.length === 0)
		return tally.skip(`${label}: no file with ${process.env.IRONSTRAP_TEST_ONLY} in its path`);

	const start = performance.now();
	const argv = [node, "node_modules/ava/entrypoints/cli.mjs", "--tap", ...(chosen ?? [])];
	const child = startGroup(wrap(argv), {
		cwd: root,
		env: { ...process.env, SUITE: name },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const seen = countTap(tally, label, child.stdout);
	const result = await ended(child);
	judgeEnd(tally, label, result, seen);
	tally.note(`# ${label}: ${seen.passed} passed, ${seen.failed} failed in ${secondsSince(start)}`);
}

function chooseFiles(folder) {
	const text = process.env.IRONSTRAP_TEST_ONLY;
	return text ? filesBelow(folder, ".test.js").filter((path) => path.includes(text)) : undefined;
}

/** Counts while the lines come; the object returned is filled as they do. */
function countTap(tally, label, stream) {
	const seen = { passed: 0, failed: 0, todo: 0, plan: undefined, announcedFailures: 0 };
	let explaining = false;
	createInterface({ input: stream }).on("line", (line) => {
		const test = /^(?<not>not )?ok \d+ - (?<title>.*?)(?: # (?<directive>SKIP|TODO))?$/.exec(line)?.groups;
		const summary = /^(?:1\.\.(?<plan>\d+)|# fail (?<fail>\d+))$/.exec(line)?.groups;
		if (test) {
			explaining = test.not !== undefined;
			const title = `${label}: ${test.title}`;
			if (test.directive) {
				if (test.directive === "TODO") seen.todo++;
				explaining = false;
				tally.skip(title);
			} else if (test.not) {
				seen.failed++;
				tally.fail(title);
			} else {
				seen.passed++;
				tally.pass(title);
			}
		} else if (summary) {
			explaining = false;
			if (summary.plan) seen.plan = Number(summary.plan);
			if (summary.fail) seen.announcedFailures = Number(summary.fail);
		} else if (seen.plan === undefined && (explaining || line.startsWith("#   "))) {
			tally.note(`  ${line.replace(/^# {3}/, "")}`); // why it failed, or what a test logged
		}
	});
	return seen;
}

/** What the lines did not say: tests that never ran, a runner that died or saw nothing. */
function judgeEnd(tally, label, result, seen) {
	const unreported = seen.announcedFailures - seen.todo - seen.failed;
	const fail = (reason) => {
		seen.failed++;
		tally.fail(`${label}: ${reason}`);
	};
	if (interruption()) fail("interrupted");
	else if (seen.plan === undefined) fail(`the runner ended with ${result} before its summary`);
	else if (unreported > 0) fail(`${unreported} tests never ended`);
	else if (seen.passed + seen.failed === 0) fail("the suite is empty");
	else if (result !== 0 && seen.failed === 0) fail(`the runner ended with ${result}`);
}
