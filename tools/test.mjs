// What `npm test` runs, on a machine that tools/setup.sh has prepared: every check and every suite, all of it counted. Each
// part lives in a process tree that dies with this process. The last line is `N passed, N failed`.
import { checks } from "./lib/checks.mjs";
import { runCommand } from "./lib/command.mjs";
import { sweep } from "./lib/leftovers.mjs";
import { lifetime } from "./lib/lifetime.mjs";
import { nodeBinary } from "./lib/nodes.mjs";
import { forwardSignals, interruption } from "./lib/processes.mjs";
import { runSuite } from "./lib/suite.mjs";
import { createTally, secondsSince } from "./lib/tally.mjs";

const otherNodes = [22, 24];
const artefactsDeadlineMs = 45 * 60_000;

const start = performance.now();
const tally = createTally();
const times = [];

forwardSignals();
removeLeftovers();

await part("checks", async () => {
	for (const { title, argv } of Object.values(checks)) await runCommand(tally, title, lifetime(argv));
});
await part("unit", () => suite("unit", { label: `unit (Node ${process.versions.node})` }));
for (const major of otherNodes) await part(`unit, Node ${major}`, () => unitOn(major));
await part("tools", () => suite("tools"));
await part("artefacts", () =>
	runCommand(tally, "artefacts", lifetime([process.execPath, "dist/lab/artefacts.js"]), {
		live: true,
		deadlineMs: artefactsDeadlineMs,
	}),
);
await part("engine", () => suite("engine"));
await part("e2e", () => suite("e2e"));

removeLeftovers();
for (const line of times) tally.note(line);
const { skipped } = tally.counts();
tally.note(`# ${secondsSince(start)} in total${skipped > 0 ? `, ${skipped} tests skipped` : ""}`);
tally.note(tally.summary());
process.exitCode = tally.succeeded() ? 0 : 1;

async function part(name, work) {
	const began = performance.now();
	tally.note(`# ${name}`);
	await work();
	times.push(`# ${name}: ${secondsSince(began)}`);
}

function suite(name, options = {}) {
	return runSuite(tally, name, { ...options, wrap: lifetime });
}

async function unitOn(major) {
	if (interruption()) return tally.fail(`unit on Node ${major}: not run, interrupted`);
	let binary;
	try {
		binary = await nodeBinary(major);
	} catch (error) {
		return tally.fail(`unit on Node ${major}: it could not be fetched: ${error.message}`);
	}
	tally.note(`# Node ${binary.version}, ${binary.cached ? "from the cache" : "fetched"}`);
	await suite("unit", { node: binary.path, label: `unit (Node ${binary.version})` });
}

function removeLeftovers() {
	for (const path of sweep()) console.error(`removed what an earlier run left: ${path}`);
}
