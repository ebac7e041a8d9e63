// Runs AVA suites (and commands) as tests, prints a readable line for each, and ends with `N passed, N failed`.
//
//   node tools/tally.mjs [--node PATH] SUITE… [--command 'COMMAND LINE']…
//
// --node holds for the suites after it. IRONSTRAP_TEST_ONLY=TEXT runs only test files with TEXT in their path.
import { runCommand } from "./lib/command.mjs";
import { forwardSignals } from "./lib/processes.mjs";
import { runSuite } from "./lib/suite.mjs";
import { createTally } from "./lib/tally.mjs";

forwardSignals();
const tally = createTally();
const words = process.argv.slice(2);
let node = process.execPath;
while (words.length > 0) {
	const word = words.shift();
	if (word === "--node") node = words.shift();
	else if (word === "--command") {
		const command = words.shift();
		await runCommand(tally, command, ["sh", "-c", command]);
	} else {
		const label = node === process.execPath ? word : `${word} (${node})`;
		await runSuite(tally, word, { node, label });
	}
}
tally.note(tally.summary());
process.exitCode = tally.succeeded() ? 0 : 1;
