import test from "ava";
import {
	describeChoice,
	type EngineMachine,
	engineChoices,
	startEngineMachine,
} from "../../lab/roots/machine.ts";
import { chaptersOf } from "../support/engine-story.ts";

/*
 * The life of a stack without a server, on the engines of other Debian releases than this machine's. All six of them:
 * npm run exhaustive -- engines --json
 */

const chosen = engineChoices.filter((choice) =>
	["docker 26.1 on trixie", "podman 5.8 on forky"].includes(describeChoice(choice)),
);

for (const choice of chosen) {
	const name = describeChoice(choice);
	let machine: EngineMachine | undefined;

	test.serial(`${name}: the engine is that one`, async (t) => {
		t.timeout(900_000);
		machine = await startEngineMachine(choice);
		t.true(machine.version.startsWith(name.split(" ")[1] ?? ""), machine.version);
	});

	for (const { run, title } of chaptersOf(choice, { compose: false }))
		test.serial(`${name}: ${title}`, async (t) => {
			t.timeout(300_000);
			if (machine === undefined) return t.fail("the machine did not start");
			await t.notThrowsAsync(run(machine));
		});

	test.serial(`${name}: the machine goes`, async (t) => {
		await t.notThrowsAsync(async () => machine?.stop());
		machine = undefined;
	});

	test.after.always(async () => machine?.stop());
}
