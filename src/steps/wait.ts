import { setTimeout as sleep } from "node:timers/promises";
import { IronstrapError } from "../lib/errors.ts";
import type { EventSink, WaitState } from "./events.ts";
import type { WaitSpec } from "./step.ts";

let waits = 0;

/** A first look that takes longer than this is announced before it has ended. */
const LONG_LOOK_MS = 1000;

/**
 * Looks again and again until `look` finds something. The wait is announced with its deadline and reason when it
 * starts and whenever the reason changes; not at all when the first look finds it at once. Fails with `deadline-passed`, saying what was seen last.
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
	// a timer of our own: that of AbortSignal.timeout lets the process end when nothing else is left to happen
	const passed = new AbortController();
	const timer = setTimeout(() => passed.abort(), spec.deadlineMs);
	const signal = AbortSignal.any([outer, passed.signal]);
	const why = () => (typeof spec.why === "function" ? spec.why() : (spec.why ?? ""));
	let announced: string | undefined;
	const announce = () => {
		if (why() === announced) return;
		announced = why();
		emit({ type: "waiting", wait: stateOf(spec, id, announced, started, deadline) });
	};
	// a look that takes long is waited for like anything else
	const overdue = setTimeout(announce, LONG_LOOK_MS);
	try {
		for (;;) {
			const found = await look(signal);
			if (found !== undefined) return found;
			announce();
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
		clearTimeout(timer);
		clearTimeout(overdue);
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
