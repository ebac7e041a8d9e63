import type { Moment } from "../../../lab/story/crash.ts";
import type { Tally } from "../crash/points.ts";
import { type ModelScene, openModelScene, type Way } from "./model.ts";

export interface ModelMoments {
	readonly forward: readonly Moment[];
	readonly back: readonly Moment[];
}

/** The last moment before it is for good: every host was let go. */
const ALL_RELEASED: Moment = { when: "before", phase: "begin", step: "pivot:soak", command: "forward" };

/** Every moment of the way forward, resumed and taken back by turns, and every moment of the way back. */
export async function modelPart(tally: Tally, directory: string): Promise<void> {
	const scene = await openModelScene(directory);
	try {
		const { back, forward } = await listModel(scene);
		for (const [index, moment] of forward.filter(tally.wanted).entries())
			await forwardPoint(tally, scene, moment, index % 2 === 0 ? "forward" : "back");
		for (const moment of back.filter(tally.wanted)) await backPoint(tally, scene, moment);
	} finally {
		await scene.stop();
	}
}

export async function listModel(scene: ModelScene): Promise<ModelMoments> {
	await scene.reset();
	const forward = await mustRun(scene, "forward");
	scene.check("target");
	await scene.reset();
	await scene.kill("forward", ALL_RELEASED);
	const back = await mustRun(scene, "back");
	scene.check("source");
	return { forward, back };
}

/** Killed on the way forward; a new process goes on, or takes it back. What is committed can only be gone on with. */
export function forwardPoint(tally: Tally, scene: ModelScene, moment: Moment, then: Way): Promise<boolean> {
	const way = moment.step === "pivot:commit" ? "forward" : then;
	return tally.point({ ...moment, command: `model forward, then ${way}` }, async () => {
		await scene.reset();
		await scene.kill("forward", moment);
		await mustRun(scene, way);
		scene.check(way === "forward" ? "target" : "source");
	});
}

/** Killed on the way back from as late as possible; a new process goes on with it. */
export function backPoint(tally: Tally, scene: ModelScene, moment: Moment): Promise<boolean> {
	return tally.point({ ...moment, command: "model back" }, async () => {
		await scene.reset();
		await scene.kill("forward", ALL_RELEASED);
		await scene.kill("back", moment);
		await mustRun(scene, "back");
		scene.check("source");
	});
}

async function mustRun(scene: ModelScene, way: Way): Promise<readonly Moment[]> {
	const { moments, ok, said } = await scene.run(way);
	if (!ok) throw new Error(`${way}: ${said}`);
	return moments;
}
