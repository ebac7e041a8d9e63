import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import type { Moment } from "../../../lab/story/crash.ts";
import { openTally } from "../../exhaustive/crash/points.ts";
import { type ModelScene, openModelScene } from "../../exhaustive/pivot/model.ts";
import { backPoint, forwardPoint, listModel, type ModelMoments } from "../../exhaustive/pivot/model-part.ts";
import { generator } from "../../support/generator.ts";

const test = anyTest as TestFn<{ scene: ModelScene; directory: string; moments: ModelMoments }>;

/** IRONSTRAP_SEED repeats a run. All points: `npm run exhaustive -- pivot --json`. */
const seed = Number(process.env.IRONSTRAP_SEED ?? randomInt(2 ** 31));
const random = generator(seed);
const pick = (all: readonly Moment[]) => all[Math.floor(random() * all.length)] as Moment;

test.before(async (t) => {
	t.timeout(300_000);
	t.log(`seed ${seed}`);
	const directory = await mkdtemp(join(tmpdir(), "pivot-crash-"));
	t.context.directory = directory;
	t.context.scene = await openModelScene(join(directory, "state"), seed);
	t.context.moments = await listModel(t.context.scene);
});

test.after.always(async (t) => {
	await t.context.scene?.stop();
	await rm(t.context.directory, { recursive: true, force: true });
});

test.serial("a hand-over has more than a hundred moments to die at, and its rollback has, too", (t) => {
	const { back, forward } = t.context.moments;
	t.true(forward.length + back.length > 150, `${forward.length} forward, ${back.length} back`);
});

test.serial("killed anywhere on the way forward, a new process goes on, or takes it back", async (t) => {
	t.timeout(300_000);
	const { moments, scene } = t.context;
	const tally = openTally(undefined, (line) => t.log(line));
	for (const way of ["forward", "back", "forward", "back", "forward", "back"] as const)
		t.true(await forwardPoint(tally, scene, pick(moments.forward), way));
});

test.serial("killed anywhere on the way back, a new process goes on with it", async (t) => {
	t.timeout(300_000);
	const { moments, scene } = t.context;
	const tally = openTally(undefined, (line) => t.log(line));
	for (let round = 0; round < 4; round += 1) t.true(await backPoint(tally, scene, pick(moments.back)));
});

test.serial(
	"a host that BMO cannot register stops it, later hosts stay paused, and there is a way back",
	async (t) => {
		t.timeout(120_000);
		const { scene } = t.context;
		await scene.reset();
		scene.unreachable(scene.hosts);
		const { ok, said } = await scene.run("forward", 4000);
		scene.unreachable([]);
		t.false(ok);
		t.regex(said, /^deadline-passed: waited 4 s for BMO to take over/m);
		const [canary, ...later] = scene.hosts;
		t.deepEqual([...(await scene.paused())].sort(), [...later].sort(), `only ${canary} was let go`);
		t.true((await scene.run("back")).ok);
		t.notThrows(() => scene.check("source"));
	},
);
