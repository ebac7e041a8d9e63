import { styleText } from "node:util";
import { createLogUpdate } from "log-update";
import { faultsOf } from "../../lib/errors.ts";
import type { RunEvent, WaitState } from "../../steps/events.ts";
import { faultText } from "./fault.ts";
import { eventLine } from "./plain.ts";
import type { Reporter } from "./reporter.ts";

/**
 * A terminal: finished steps scroll by, and below them stands what is going on now, redrawn once a second with
 * the time passed and the time left.
 */
export function liveReporter(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Reporter {
	const draw = createLogUpdate(err, { showCursor: true });
	const running = new Map<string, { readonly title: string; readonly since: number }>();
	const waiting = new Map<string, WaitState>();
	const redraw = () => draw(picture([...running.values()], [...waiting.values()], Date.now()));
	const clock = setInterval(redraw, 1000);
	clock.unref();
	const close = () => {
		clearInterval(clock);
		draw.clear();
		draw.done();
	};
	return {
		emit(event) {
			note(event, running, waiting);
			const line = finishedLine(event);
			if (line !== undefined) draw.persist(line);
			redraw();
		},
		result(_value, text) {
			close();
			if (text !== "") out.write(`${text}\n`);
		},
		line(_fields, text) {
			out.write(`${text}\n`);
		},
		fail(error) {
			close();
			for (const fault of faultsOf(error)) err.write(`${faultText(fault, true)}\n`);
		},
		close,
	};
}

function note(
	event: RunEvent,
	running: Map<string, { readonly title: string; readonly since: number }>,
	waiting: Map<string, WaitState>,
): void {
	if (event.type === "step-started") running.set(event.step, { title: event.title, since: Date.now() });
	else if (event.type === "step-finished" || event.type === "step-failed") running.delete(event.step);
	else if (event.type === "waiting") waiting.set(event.wait.id, event.wait);
	else if (event.type === "wait-over") waiting.delete(event.id);
}

function finishedLine(event: RunEvent): string | undefined {
	if (event.type === "waiting" || (event.type === "step-finished" && event.skipped)) return undefined;
	const line = eventLine(event);
	if (line === undefined) return undefined;
	const style = event.type === "step-failed" ? "red" : event.type === "step-finished" ? "green" : "dim";
	return styleText(style, line);
}

/** What is going on now. Exported for its test: no terminal needed. */
export function picture(
	running: readonly { readonly title: string; readonly since: number }[],
	waiting: readonly WaitState[],
	now: number,
): string {
	const seconds = (ms: number) => `${Math.max(0, Math.round(ms / 1000))} s`;
	return [
		...running.map(({ title, since }) => `… ${title} (${seconds(now - since)})`),
		...waiting.map(
			({ what, why, deadline }) =>
				`  waiting for ${what}${why === "" ? "" : `: ${why}`} (gives up in ${seconds(Date.parse(deadline) - now)})`,
		),
	].join("\n");
}
