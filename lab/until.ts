import { setTimeout as pause } from "node:timers/promises";
import { IronstrapError } from "../src/lib/errors.ts";

export interface UntilOptions {
	/** What is waited for, as the end of the sentence "waited in vain for …". */
	readonly what: string;
	readonly deadlineMs: number;
	readonly everyMs?: number | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Said when the deadline passes, e.g. the tail of a log. */
	readonly seen?: (() => string) | undefined;
}

/**
 * Asks again and again until the answer is neither undefined nor false, and returns it.
 * A throwing question ends the wait at once. Errors: `lab-deadline` after `deadlineMs`, or the signal's reason.
 */
export async function until<T>(
	ask: () => T | Promise<T>,
	{ what, deadlineMs, everyMs = 50, signal, seen }: UntilOptions,
): Promise<Exclude<T, undefined | false>> {
	const end = performance.now() + deadlineMs;
	for (;;) {
		signal?.throwIfAborted();
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
		if (performance.now() > end) {
			throw new IronstrapError({
				code: "lab-deadline",
				message: `Waited ${deadlineMs} ms in vain for ${what}`,
				seen: seen?.(),
				fix: "Run it again on a less busy machine; if it stays, the log files of the lab say why",
			});
		}
		await pause(everyMs, undefined, { signal });
	}
}
