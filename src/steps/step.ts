import type { EventSink } from "./events.ts";

/** What a step is given besides its context. */
export interface StepTools {
	/** Aborted when the user interrupts or the step's deadline passes. */
	readonly signal: AbortSignal;
	readonly emit: EventSink;
	/**
	 * Polls until `look` returns something other than `undefined`. What is being waited for is published
	 * (and persisted for `status` in another process) for as long as it lasts.
	 */
	waitFor<T>(wait: WaitSpec, look: (signal: AbortSignal) => Promise<T | undefined>): Promise<T>;
}

export interface WaitSpec {
	/** What is awaited, in the words of a status line: `conductor of metal3 to register`. */
	readonly what: string;
	/** Why it takes time, or what was seen last; may change while waiting. */
	readonly why?: string | (() => string) | undefined;
	/** Milliseconds after which waiting fails. */
	readonly deadlineMs: number;
	/** Milliseconds between two looks; default 500. */
	readonly everyMs?: number | undefined;
	/** What to do about it when the deadline passes. */
	readonly fix?: string | undefined;
	/** The object it is about, e.g. `BareMetalHost metal3/cp-0`. */
	readonly subject?: string | undefined;
}

/**
 * One named, repeatable change. `do` must be safe to run again after being killed at any point;
 * `done` lets the runner skip it when the world already is as wanted.
 */
export interface Step<Context> {
	/** Stable across runs and releases: the journal is keyed by it. */
	readonly id: string;
	/** For a person, in the present tense: `create network metal3`. */
	readonly title: string;
	/** True when nothing is left to do; must look at the world, not at the journal. */
	readonly done?: (context: Context, tools: StepTools) => Promise<boolean>;
	readonly do: (context: Context, tools: StepTools) => Promise<void>;
	/** Proves the effect after `do`; throws with what was seen if it is missing. */
	readonly verify?: (context: Context, tools: StepTools) => Promise<void>;
	/** Takes the change back; must be safe when the change was never made, or only half. */
	readonly undo?: (context: Context, tools: StepTools) => Promise<void>;
}
