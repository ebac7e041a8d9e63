import { killAt, listMoments, type Moment } from "../../../lab/story/crash.ts";
import { faultsIn, ironstrap } from "../../../lab/story/product.ts";
import { succeed } from "../../support/bare-stack.ts";
import { type Tally, wordsOf } from "../crash/points.ts";
import { mustBeBack, mustBeSafe } from "./judge-scene.ts";
import { handOver, openScene, type Scene } from "./scene.ts";

/*
 * A hand-over is killed at one moment, a new process goes on and is killed at the next one, and so forth; the last one
 * runs to its end, which the checker judges by what others recorded. A step that was done when its process died is not
 * done again and leaves no record, so that the last moments of steps have a chain of their own.
 */

export const resume = ["pivot", "resume", "--soak", "1s"] as const;
export const rollback = ["pivot", "rollback"] as const;

/** The host that BMO never gets to register, so that everything before its release has happened. */
export const TROUBLED = "cp-1";

/** The moments of an uninterrupted hand-over and of an uninterrupted rollback. */
export interface Moments {
	readonly forward: readonly Moment[];
	readonly back: readonly Moment[];
}

export const isLast = ({ phase, when }: Moment): boolean =>
	when === "after" && (phase === "done" || phase === "undone");

/** One scene: a hand-over that fails late, its rollback, and a hand-over that succeeds. */
export async function listAll(): Promise<Moments> {
	const scene = await openScene();
	try {
		const { sandbox } = scene.lab;
		await failLate(scene);
		const back = await listMoments(sandbox, rollback);
		if (back.outcome.exitCode !== 0) throw new Error(`the clean rollback: ${faultsIn(back.outcome)}`);
		await mustBeBack(scene);
		const forward = await listMoments(sandbox, handOver(scene));
		if (forward.outcome.exitCode !== 0) throw new Error(`the clean hand-over: ${faultsIn(forward.outcome)}`);
		await mustBeSafe(scene, "target");
		return { forward: forward.moments, back: back.moments };
	} finally {
		await scene.stop();
	}
}

/** Two chains over one scene: a rollback from as late as possible, and then the whole way forward. */
export async function bothWays(
	tally: Tally,
	back: readonly Moment[],
	forward: readonly Moment[],
): Promise<void> {
	const scene = await openScene();
	try {
		if (back.length > 0) {
			await failLate(scene);
			await chain(tally, scene, rollback, rollback, back, () => mustBeBack(scene));
		}
		await chain(tally, scene, handOver(scene), resume, forward, async () => {
			await mustBeSafe(scene, "target");
		});
	} finally {
		await scene.stop();
	}
}

/** Killed at one moment of the way forward, a new process takes it all back. */
export async function thereAndBack(tally: Tally, moments: readonly Moment[]): Promise<void> {
	const scene = await openScene();
	try {
		for (const moment of moments)
			await tally.point({ ...moment, command: `${moment.command}, then rollback` }, async () => {
				await killAt(scene.lab.sandbox, handOver(scene), moment);
				await succeed(scene.lab.sandbox, rollback);
				await mustBeBack(scene);
			});
	} finally {
		await scene.stop();
	}
}

/** The target does not reach one BMC: its host is let go, and is never taken over. */
async function failLate(scene: Scene): Promise<void> {
	scene.operators.behave({ unreachable: [TROUBLED] });
	const outcome = await ironstrap(scene.lab.sandbox, handOver(scene));
	scene.operators.behave({});
	if (outcome.exitCode === 0) throw new Error("a hand-over succeeded although a host was not taken over");
}

/** All points of a chain stand or fall with its end. */
async function chain(
	tally: Tally,
	{ lab }: Scene,
	first: readonly string[],
	next: readonly string[],
	moments: readonly Moment[],
	check: () => Promise<void>,
): Promise<void> {
	const wanted = moments.filter(tally.wanted);
	const done: { moment: Moment; seconds: number }[] = [];
	let error: string | undefined;
	let words = first;
	try {
		for (const moment of wanted) {
			const started = performance.now();
			done.push({ moment, seconds: 0 });
			await killAt(lab.sandbox, words, moment);
			words = next;
			done.push({ moment: done.pop()?.moment ?? moment, seconds: (performance.now() - started) / 1000 });
		}
		await succeed(lab.sandbox, words);
		await check();
	} catch (thrown) {
		error = wordsOf(thrown);
	}
	for (const { moment, seconds } of done) tally.add(moment, seconds, error);
	if (error !== undefined) throw new Error(`a chain broke: ${error}`);
}
