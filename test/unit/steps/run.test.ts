import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { IronstrapError, IronstrapErrors } from "../../../src/lib/errors.ts";
import type { RunEvent } from "../../../src/steps/events.ts";
import { openJournal, readJournal } from "../../../src/steps/journal.ts";
import { runParallel, runSteps, undoSteps } from "../../../src/steps/run.ts";
import type { Step } from "../../../src/steps/step.ts";

async function scene() {
	const path = join(await mkdtemp(join(tmpdir(), "ironstrap-steps-")), "journal.jsonl");
	const events: RunEvent[] = [];
	const controller = new AbortController();
	const journal = await openJournal(path, "up", "r1");
	return {
		path,
		events,
		controller,
		options: { journal, emit: (e: RunEvent) => events.push(e), signal: controller.signal },
	};
}

const step = (id: string, done: string[], extra: Partial<Step<object>> = {}): Step<object> => ({
	id,
	title: `do ${id}`,
	do: async () => {
		done.push(id);
	},
	...extra,
});

test("steps run in order, each journalled before and after", async (t) => {
	const { path, options } = await scene();
	const done: string[] = [];
	await runSteps([step("a", done), step("b", done)], {}, options);
	t.deepEqual(done, ["a", "b"]);
	t.deepEqual(
		readJournal(path).map(({ seq, step: id, phase }) => [seq, id, phase]),
		[
			[1, "a", "begin"],
			[2, "a", "done"],
			[3, "b", "begin"],
			[4, "b", "done"],
		],
	);
});

test("a step that is done already leaves no trace in the journal", async (t) => {
	const { path, options, events } = await scene();
	const done: string[] = [];
	await runSteps([step("a", done, { done: async () => true })], {}, options);
	t.deepEqual(done, []);
	t.deepEqual(readJournal(path), []);
	t.deepEqual(events, [{ type: "step-finished", step: "a", title: "do a", seconds: 0, skipped: true }]);
});

test("the first failure ends the run and names the step", async (t) => {
	const { path, options, events } = await scene();
	const done: string[] = [];
	const fault = new IronstrapError({ code: "no-luck", message: "no luck" });
	const failing = step("b", done, { verify: () => Promise.reject(fault) });
	await t.throwsAsync(runSteps([step("a", done), failing, step("c", done)], {}, options), { is: fault });
	t.deepEqual(done, ["a", "b"]);
	t.is(readJournal(path).at(-1)?.phase, "failed");
	t.like(events.at(-1), { type: "step-failed", step: "b" });
});

test("undo goes backwards and skips what cannot be undone", async (t) => {
	const { path, options } = await scene();
	const undone: string[] = [];
	const undo = (id: string) => async () => {
		undone.push(id);
	};
	await undoSteps(
		[step("a", [], { undo: undo("a") }), step("b", []), step("c", [], { undo: undo("c") })],
		{},
		options,
	);
	t.deepEqual(undone, ["c", "a"]);
	t.deepEqual(
		readJournal(path).map(({ phase }) => phase),
		["undo-begin", "undone", "undo-begin", "undone"],
	);
});

test("a journal whose last line a crash cut off is continued, not misread", async (t) => {
	const { path, options } = await scene();
	await runSteps([step("a", [])], {}, options);
	options.journal.close();
	const whole = await readFile(path, "utf8");
	await writeFile(path, `${whole}{"formatVersion":1,"seq":3,"st`);
	const again = await openJournal(path, "up", "r2");
	again.append("b", "begin");
	again.close();
	t.deepEqual(
		readJournal(path).map(({ seq, run, step: id }) => [seq, run, id]),
		[
			[1, "r1", "a"],
			[2, "r1", "a"],
			[3, "r2", "b"],
		],
	);
});

test("an interrupted run starts no further step", async (t) => {
	const { options, controller } = await scene();
	const done: string[] = [];
	const interrupting = step("a", done, { verify: async () => controller.abort(new Error("stop")) });
	await t.throwsAsync(runSteps([interrupting, step("b", done)], {}, options), { message: "stop" });
	t.deepEqual(done, ["a"]);
});

test("a wait says what it waits for, why, and gives up at its deadline with what was seen", async (t) => {
	const { options, events } = await scene();
	let seen = "nothing yet";
	const waiting = step("w", [], {
		do: async (_context, { waitFor }) => {
			await waitFor(
				{ what: "the conductor", why: () => seen, deadlineMs: 120, everyMs: 20, fix: "look at the log" },
				async () => {
					seen = "API answers 503";
					return undefined;
				},
			);
		},
	});
	await t.throwsAsync(runSteps([waiting], {}, options), {
		message: /waited 0 s for the conductor/,
		code: "deadline-passed",
	});
	const waits = events.filter((event) => event.type === "waiting");
	t.is(waits[0]?.wait.why, "API answers 503");
	t.truthy(events.find((event) => event.type === "wait-over"));
});

test("a first look that takes long is announced while it lasts", async (t) => {
	const { options, events } = await scene();
	const waiting = step("w", [], {
		do: async (_context, { waitFor }) => {
			await waitFor({ what: "a slow engine", deadlineMs: 10_000 }, async () => {
				await until(() => events.some(({ type }) => type === "waiting"));
				return true;
			});
		},
	});
	await runSteps([waiting], {}, options);
	t.deepEqual(
		events.map(({ type }) => type),
		["step-started", "waiting", "wait-over", "step-finished"],
	);
});

test("a wait that finds its thing at once is not announced", async (t) => {
	const { options, events } = await scene();
	const waiting = step("w", [], {
		do: async (_context, { waitFor }) => {
			t.is(await waitFor({ what: "x", deadlineMs: 1000 }, async () => 42), 42);
		},
	});
	await runSteps([waiting], {}, options);
	t.deepEqual(
		events.map(({ type }) => type),
		["step-started", "step-finished"],
	);
});

const failing = (code: string) =>
	step(code, [], { do: () => Promise.reject(new IronstrapError({ code, message: code })) });

test("of parallel lists, a failure ends the others' waits when they belong together", async (t) => {
	const { options } = await scene();
	const endless = step("w", [], {
		do: (_context, { waitFor }) =>
			waitFor({ what: "nothing", deadlineMs: 60_000, everyMs: 10 }, async () => undefined),
	});
	await t.throwsAsync(runParallel([[endless], [failing("no-disk")]], {}, options, "abort"), {
		code: "no-disk",
	});
});

test("of independent parallel lists, each goes as far as it can and all failures are told", async (t) => {
	const { options } = await scene();
	const done: string[] = [];
	const error = await t.throwsAsync<IronstrapErrors>(
		runParallel([[failing("bmc-a")], [step("ok", done)], [failing("bmc-b")]], {}, options, "finish"),
		{ instanceOf: IronstrapErrors },
	);
	t.deepEqual(error?.errors.map(({ code }) => code).sort(), ["bmc-a", "bmc-b"]);
	t.deepEqual(done, ["ok"]);
});

async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
