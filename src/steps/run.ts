import { faultsOf, IronstrapError, IronstrapErrors } from "../lib/errors.ts";
import type { EventSink } from "./events.ts";
import type { Journal } from "./journal.ts";
import type { Step, StepTools } from "./step.ts";
import { waitFor } from "./wait.ts";

export interface RunOptions {
	readonly journal: Journal;
	readonly emit: EventSink;
	/** Aborted when the user interrupts; the step that runs then ends with the abort's reason. */
	readonly signal: AbortSignal;
}

/**
 * Runs steps one after the other. A step that is done already leaves no journal record; any other is journalled
 * before it touches the world and after it was proven. The first failure ends the run: what was made stays, and
 * the next run continues from what it finds.
 */
export async function runSteps<Context>(
	steps: readonly Step<Context>[],
	context: Context,
	options: RunOptions,
): Promise<void> {
	for (const step of steps) await runStep(step, context, options);
}

/**
 * Runs several lists of steps at the same time. With `abort`, the first failure ends the waits of all others and is
 * thrown; with `finish`, every list goes as far as it can and all failures are thrown together.
 */
export async function runParallel<Context>(
	lists: readonly (readonly Step<Context>[])[],
	context: Context,
	options: RunOptions,
	onFailure: "abort" | "finish",
): Promise<void> {
	const controller = new AbortController();
	const signal =
		onFailure === "abort" ? AbortSignal.any([options.signal, controller.signal]) : options.signal;
	const failures: unknown[] = [];
	await Promise.all(
		lists.map(async (steps) => {
			try {
				await runSteps(steps, context, { ...options, signal });
			} catch (error) {
				failures.push(error);
				controller.abort(error);
			}
		}),
	);
	if (failures.length === 0) return;
	options.signal.throwIfAborted();
	if (onFailure === "abort" || failures.length === 1) throw failures[0];
	throw new IronstrapErrors(failures.flatMap((failure) => faultsOf(failure)));
}

/** Takes steps back in reverse order. A step is undone whether or not it ever ran: `undo` looks at the world. */
export async function undoSteps<Context>(
	steps: readonly Step<Context>[],
	context: Context,
	options: RunOptions,
): Promise<void> {
	for (const step of [...steps].reverse()) {
		if (step.undo === undefined) continue;
		options.signal.throwIfAborted();
		const { undo } = step;
		await journalled(step, options, ["undo-begin", "undone"], () => undo(context, toolsOf(options)));
	}
}

async function runStep<Context>(step: Step<Context>, context: Context, options: RunOptions): Promise<void> {
	options.signal.throwIfAborted();
	const tools = toolsOf(options);
	const { id, title } = step;
	if ((await step.done?.(context, tools)) === true) {
		options.emit({ type: "step-finished", step: id, title, seconds: 0, skipped: true });
		return;
	}
	await journalled(step, options, ["begin", "done"], async () => {
		await step.do(context, tools);
		await step.verify?.(context, tools);
	});
}

async function journalled<Context>(
	{ id, title }: Step<Context>,
	{ emit, journal }: RunOptions,
	[begin, end]: readonly ["begin", "done"] | readonly ["undo-begin", "undone"],
	work: () => Promise<void>,
): Promise<void> {
	const started = performance.now();
	emit({ type: "step-started", step: id, title });
	journal.append(id, begin);
	try {
		await work();
	} catch (error) {
		journal.append(id, "failed");
		const [fault] = faultsOf(error);
		if (fault !== undefined) emit({ type: "step-failed", step: id, title, error: fault });
		throw error;
	}
	journal.append(id, end);
	emit({
		type: "step-finished",
		step: id,
		title,
		seconds: (performance.now() - started) / 1000,
		skipped: false,
	});
}

function toolsOf({ emit, signal }: RunOptions): StepTools {
	return { signal, emit, waitFor: (spec, look) => waitFor(spec, look, emit, signal) };
}

/** What an interrupted run ends with. */
export function interrupted(by: string): IronstrapError {
	return new IronstrapError({
		code: "interrupted",
		message: `interrupted by ${by}`,
		fix: "run the same command again: it continues from what it finds",
	});
}
