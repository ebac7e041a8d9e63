import { setTimeout as sleep } from "node:timers/promises";
import { IronstrapError } from "../lib/errors.ts";
import type { EventSink, WaitState } from "./events.ts";
import type { WaitSpec } from "./step.ts";

let waits = 0;

/**
 * Looks again and again until `look` finds something. The wait is announced with its deadline and reason when it
 * starts and whenever the reason changes. Fails with `deadline-passed`, saying what was seen last.
 */
export async function waitFor<T>(
	spec: WaitSpec,
	look: (signal: AbortSignal) => Promise<T | undefined>,
	emit: EventSink,
	outer: AbortSignal,
): Promise<T> {
	waits += 1;
	const id = `${process.pid}-${waits}`;
	const started = Date.now();
	const deadline = started + spec.deadlineMs;
	const signal = AbortSignal.any([outer, AbortSignal.timeout(spec.deadlineMs)]);
	const why = () => (typeof spec.why === "function" ? spec.why() : (spec.why ?? ""));
	let announced: string | undefined;
	try {
		for (;;) {
			const found = await look(signal);
			if (found !== undefined) return found;
			if (why() !== announced) {
				announced = why();
				emit({ type: "waiting", wait: stateOf(spec, id, announced, started, deadline) });
			}
			await sleep(spec.everyMs ?? 500, undefined, { signal });
		}
	} catch (error) {
		outer.throwIfAborted();
		if (!signal.aborted) throw error;
		throw new IronstrapError({
			code: "deadline-passed",
			message: `waited ${Math.round(spec.deadlineMs / 1000)} s for ${spec.what}`,
			subject: spec.subject,
			seen: why() || undefined,
			fix: spec.fix,
			cause: error,
		});
	} finally {
		if (announced !== undefined) emit({ type: "wait-over", id, seconds: (Date.now() - started) / 1000 });
	}
}

function stateOf(spec: WaitSpec, id: string, why: string, started: number, deadline: number): WaitState {
	return {
		id,
		what: spec.what,
		why,
		subject: spec.subject,
		since: new Date(started).toISOString(),
		deadline: new Date(deadline).toISOString(),
	};
}
