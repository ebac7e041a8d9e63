import { parseArgs } from "node:util";
import { describeChoice, engineChoices, startEngineMachine } from "../../lab/roots/machine.ts";
import { chaptersOf } from "../support/engine-story.ts";

/*
 * The life of a stack on every engine of every lab root, without a server:
 * npm run exhaustive -- engines [--json] [--only REGEX, e.g. "docker.*trixie"]
 */

const { values } = parseArgs({
	options: { json: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const totals = { cases: 0, failed: 0 };

for (const choice of engineChoices.filter((each) => new RegExp(values.only).test(describeChoice(each)))) {
	const machine = await startEngineMachine(choice);
	try {
		say(`# ${describeChoice(choice)}: ${machine.version}`);
		for (const { run, title } of chaptersOf(choice, { compose: true })) {
			const started = performance.now();
			totals.cases += 1;
			const failure = await run(machine).then(
				() => undefined,
				(error: unknown) => error,
			);
			if (failure !== undefined) totals.failed += 1;
			const seconds = ((performance.now() - started) / 1000).toFixed(1);
			say(`${failure === undefined ? "ok" : "FAILED"} ${title} (${seconds} s)`);
			if (failure !== undefined) say(String(failure instanceof Error ? failure.message : failure));
		}
	} finally {
		await machine.stop();
	}
}
say(`${totals.cases} cases, ${totals.failed} failed`);
if (values.json) console.log(JSON.stringify(totals));
process.exitCode = totals.cases > 0 && totals.failed === 0 ? 0 : 1;
