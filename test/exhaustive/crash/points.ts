import { type Moment, nameOf } from "../../../lab/story/crash.ts";

/** One kill and what came of it. */
export interface Point extends Moment {
	readonly ok: boolean;
	readonly seconds: number;
	/** Why not. */
	readonly error?: string | undefined;
}

export interface Totals {
	readonly crashPoints: number;
	/** Points from which the same command did not come to the uninterrupted end. */
	readonly unresolved: number;
	/** Things that `down --purge` left, over all points. */
	readonly leftovers: number;
	readonly points: readonly Point[];
}

/** What the parts tell their results to. */
export interface Tally {
	/** Runs one point; a failure is noted and answered with false. */
	point(moment: Moment, work: () => Promise<void>): Promise<boolean>;
	/** Whether the point was run already. */
	has(moment: Moment): boolean;
	/** Notes a point that was run elsewhere. */
	add(moment: Moment, seconds: number, error: string | undefined): void;
	leftovers(found: readonly string[]): void;
	wanted(moment: Moment): boolean;
	totals(): Totals;
}

export function openTally(only: RegExp | undefined, say: (line: string) => void): Tally {
	const points: Point[] = [];
	let left = 0;
	const add: Tally["add"] = (moment, elapsed, error) => {
		const seconds = Math.round(elapsed * 10) / 10;
		const ok = error === undefined;
		points.push({ ...moment, ok, seconds, ...(ok ? {} : { error }) });
		const verdict = ok ? "ok    " : "FAILED";
		say(`${verdict} ${seconds.toFixed(1).padStart(6)} s  ${moment.command}: ${nameOf(moment)}`);
		if (error !== undefined) say(error);
	};
	return {
		wanted: (moment) => only === undefined || only.test(`${moment.command}: ${nameOf(moment)}`),
		has: (moment) =>
			points.some((point) => point.command === moment.command && nameOf(point) === nameOf(moment)),
		add,
		async point(moment, work) {
			const started = performance.now();
			let error: string | undefined;
			try {
				await work();
			} catch (thrown) {
				error = wordsOf(thrown);
			}
			add(moment, (performance.now() - started) / 1000, error);
			return error === undefined;
		},
		leftovers(found) {
			left += found.length;
			for (const thing of found) say(`left: ${thing}`);
		},
		totals: () => ({
			crashPoints: points.length,
			unresolved: points.filter(({ ok }) => !ok).length,
			leftovers: left,
			points,
		}),
	};
}

/** Everything an error says, for a person. */
export function wordsOf(thrown: unknown): string {
	const { message, seen } = thrown as Error & { seen?: string };
	return seen === undefined ? message : `${message}\n${seen}`;
}
