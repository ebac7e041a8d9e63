import type { Writable } from "node:stream";
import { faultsOf } from "../../lib/errors.ts";
import type { RunEvent } from "../../steps/events.ts";
import { faultText } from "./fault.ts";
import type { Reporter } from "./reporter.ts";

/** One line an event, without colours or redrawing: for pipes, journals and CI. Events and faults go to `err`. */
export function plainReporter(out: Writable, err: Writable): Reporter {
	return {
		emit(event) {
			const line = eventLine(event);
			if (line !== undefined) err.write(`${line}\n`);
		},
		result(_value, text) {
			if (text !== "") out.write(`${text}\n`);
		},
		line: (_fields, text) => out.write(`${text}\n`),
		fail(error) {
			for (const fault of faultsOf(error)) err.write(`${faultText(fault, false)}\n`);
		},
		close: () => undefined,
	};
}

/** The line for an event; `undefined` for what plain output leaves out. */
export function eventLine(event: RunEvent): string | undefined {
	switch (event.type) {
		case "step-started":
		case "wait-over":
		case "progress":
			return undefined;
		case "step-finished":
			return event.skipped
				? `kept     ${event.title}`
				: `done     ${event.title} (${event.seconds.toFixed(1)} s)`;
		case "step-failed":
			return `failed   ${event.title}`;
		case "waiting": {
			const { what, why, deadline } = event.wait;
			return `waiting  ${what}${why === "" ? "" : `: ${why}`} (until ${deadline.slice(11, 19)} UTC)`;
		}
		case "host":
			return `host     ${event.host} ${event.state}${event.detail === "" ? "" : `: ${event.detail}`}`;
		case "note":
			return `${event.level === "warning" ? "warning" : "note   "}  ${event.message}`;
	}
}
