import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import anyTest, { type TestFn } from "ava";
import type { Moment } from "../../lab/story/crash.ts";
import { ironstrap, launcher, type Outcome } from "../../lab/story/product.ts";
import { lookAtWorld, type World } from "../../lab/story/world.ts";
import { until } from "../../lab/until.ts";
import { type Machine, mustBeUp, startMachine } from "../exhaustive/crash/machine.ts";
import { openTally } from "../exhaustive/crash/points.ts";
import { bringUp, cleanLife, downAndUp, purgeAll, type References } from "../exhaustive/crash/stack.ts";
import { down, leftAfterPurge, purge, site, succeed } from "../support/bare-stack.ts";
import { generator } from "../support/generator.ts";
import { withoutPodman } from "../support/without-podman.ts";

interface Context {
	readonly machine: Machine;
	readonly moments: Awaited<ReturnType<typeof cleanLife>>["moments"];
	readonly references: References;
}

const test = anyTest as TestFn<Context>;

/** IRONSTRAP_SEED repeats a run. All points, without chance: `npm run exhaustive -- up --json`. */
const seed = Number(process.env.IRONSTRAP_SEED ?? randomInt(2 ** 31));
const random = generator(seed);

test.before(async (t) => {
	t.timeout(300_000);
	t.log(`seed ${seed}`);
	const machine = await startMachine();
	Object.assign(t.context, { machine });
	Object.assign(t.context, await cleanLife(machine));
});

test.after.always(async (t) => t.context.machine?.stop());

test.serial(
	"killed at any record of up, down or purge, the same command comes to the same end",
	async (t) => {
		t.timeout(600_000);
		const { machine, moments, references } = t.context;
		const tally = openTally(undefined, (line) => t.log(line));
		for (let round = 0; round < 2; round += 1) {
			t.true(await bringUp(tally, machine, references, pick(moments.up)));
			t.true(await downAndUp(tally, machine, references, pick(moments.down), pick(moments.upAgain)));
			t.true(await purgeAll(tally, machine, pick(moments.purge)));
		}
		t.is(tally.totals().leftovers, 0);
	},
);

test.serial(
	"killed at any time, also while the database is made, up comes to the same end; a second run meanwhile says who is at work",
	async (t) => {
		t.timeout(300_000);
		const { machine, references } = t.context;
		await killAfter(machine, machine.up, 100 + Math.floor(random() * 1500));
		await killWhenInitialising(machine);
		await killAfter(machine, machine.up, 500 + Math.floor(random() * 4000));
		// from nothing, so that the first run is still at work when the second one comes
		const purged = await ironstrap(machine.sandbox, ["down", "--purge", "--yes"]);
		t.is(purged.exitCode, 0);
		let second: ReturnType<typeof ironstrap> | undefined;
		const first = await ironstrap(machine.sandbox, machine.up, {
			onLine(line) {
				if (line.type === "step-started") second ??= ironstrap(machine.sandbox, machine.up);
			},
		});
		const outcome = await second;
		t.is(first.exitCode, 0);
		t.is(outcome?.exitCode, 3);
		t.is(faultOf(outcome)?.code, "site-busy");
		t.regex(faultOf(outcome)?.seen ?? "", /^ironstrap up, process \d+, since 2/);
		await t.notThrowsAsync(mustBeUp(machine, references.up));
	},
);

test.serial("with the engine stopped, down says so and loses nothing; then it goes on", async (t) => {
	const { machine } = t.context;
	const { sandbox } = machine;
	const before = await lookAtWorld(sandbox, site);
	await machine.stopEngine();
	for (const command of [down, purge]) {
		const outcome = await withoutPodman(sandbox, () => ironstrap(sandbox, command));
		t.is(outcome.exitCode, 1);
		const error = faultOf(outcome);
		t.is(error?.code, "engine-not-found");
		t.is(error?.message, "Podman does not answer on this machine", "the site stays on its engine");
		t.regex(error?.fix ?? "", /systemctl enable --now podman\.socket/);
	}
	await machine.startEngine();
	t.deepEqual(await lookAtWorld(sandbox, site), before satisfies World);
	await succeed(sandbox, purge);
	t.deepEqual(await leftAfterPurge(sandbox), []);
});

interface Fault {
	readonly code: string;
	readonly message: string;
	readonly seen?: string;
	readonly fix?: string;
}

function faultOf(outcome: Outcome | undefined): Fault | undefined {
	return ((outcome?.result?.errors ?? []) as readonly Fault[])[0];
}

/** kill -9 so many milliseconds after the start, wherever the run is then. */
async function killAfter({ sandbox }: Machine, args: readonly string[], milliseconds: number): Promise<void> {
	const child = sandbox.spawn(process.execPath, [launcher, ...args, "--json"]);
	await Promise.race([pause(milliseconds), child.result]);
	child.kill("SIGKILL");
	await child.result;
}

/** kill -9 while the database's server makes its tables. */
async function killWhenInitialising({ sandbox, up }: Machine): Promise<void> {
	const child = sandbox.spawn(process.execPath, [launcher, ...up, "--json"]);
	const ask = `ls /var/lib/containers/storage/volumes/ironstrap-${site}_mariadb-data/_data`;
	await until(
		async () => (await sandbox.run("sh", ["-c", ask], { reject: false })).stdout.includes("mysql"),
		{
			what: "the database's files",
			deadlineMs: 30_000,
		},
	);
	child.kill("SIGKILL");
	await child.result;
}

function pick(moments: readonly Moment[]): Moment {
	return moments[Math.floor(random() * moments.length)] as Moment;
}
