// What to run before a commit: types, formatting, lint, import rules, unit tests. Two things at a time.
import { checks } from "./lib/checks.mjs";
import { runCommand } from "./lib/command.mjs";
import { forwardSignals } from "./lib/processes.mjs";
import { runSuite } from "./lib/suite.mjs";
import { createTally, secondsSince } from "./lib/tally.mjs";

forwardSignals();
const start = performance.now();
const tally = createTally();
const unit = createTally({ quiet: true });

async function compileAndTest() {
	await check(checks.types);
	await runSuite(unit, "unit");
}

async function look() {
	await check(checks.style);
	await check(checks.imports);
	await check(checks.typedLint);
}

function check({ title, argv }) {
	return runCommand(tally, title, argv);
}

await Promise.all([compileAndTest(), look()]);
const { passed, failed } = tally.counts();
const { passed: unitPassed, failed: unitFailed } = unit.counts();
console.log(`# checked in ${secondsSince(start)}`);
console.log(`${passed + unitPassed} passed, ${failed + unitFailed} failed`);
process.exitCode = tally.succeeded() && unit.succeeded() ? 0 : 1;
