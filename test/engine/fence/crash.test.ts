import { fileURLToPath } from "node:url";
import anyTest, { type TestFn } from "ava";
import { buildTown, type Town } from "./town.ts";

/* `up` killed around the fence, and what the next command makes of it. No container is ever started. */

const test = anyTest as TestFn<{ town: Town; before: string }>;
const preload = fileURLToPath(new URL("die-at.js", import.meta.url));

test.before(async (t) => {
	t.timeout(600_000);
	const town = await buildTown();
	t.context = { town, before: await town.shell("nft list ruleset") };
});

test.after.always(async (t) => t.context.town?.sandbox.stop());

for (const [moment, stands] of [
	["fence:install begin before", false],
	["fence:install begin after", false],
	["fence:install done before", true],
	["fence:install done after", true],
] as const)
	test.serial(`killed at ${moment}: down --purge leaves the rules as they were`, async (t) => {
		t.timeout(60_000);
		const { before, town } = t.context;
		const env = { DIE_AT: moment };
		const killed = await town.up({ fence: "{}" }, { env, nodeFlags: [`--import=${preload}`] });
		t.not(killed.exitCode, 0, killed.stderr);
		t.not(killed.result?.type, "result");
		t.is((await town.shell("nft list tables")).includes("ironstrap_metal3"), stands);
		const { exitCode, result } = await town.run("down", "--purge", "--yes");
		t.is(exitCode, 0, JSON.stringify(result));
		t.is(await town.shell("nft list ruleset"), before);
	});

test.serial("a table of ours that nobody remembers is taken away too", async (t) => {
	t.timeout(60_000);
	const { before, town } = t.context;
	await town.shell("nft add table inet ironstrap_metal3");
	t.is((await town.run("down", "--site", "metal3")).exitCode, 0);
	t.is(await town.shell("nft list ruleset"), before);
});
