import { styleText } from "node:util";
import { createLogUpdate } from "log-update";
import { faultsOf } from "../../lib/errors.ts";
import type { RunEvent } from "../../steps/events.ts";
import { faultText } from "./fault.ts";
import { openPicture, type Picture, pictureText } from "./picture.ts";
import { eventLine } from "./plain.ts";
import type { Reporter } from "./reporter.ts";

/**
 * A terminal: what is finished scrolls by, and below it stands what is going on now, redrawn once a second with the
 * time passed and the time left. Colours follow the terminal and `NO_COLOR`.
 */
export function liveReporter(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Reporter {
	const draw = createLogUpdate(err, { showCursor: true });
	const colour = err.getColorDepth() > 1;
	const picture = openPicture();
	const redraw = () => draw(pictureText(picture, Date.now()));
	const clock = setInterval(redraw, 1000);
	clock.unref();
	const close = () => {
		clearInterval(clock);
		draw.clear();
		draw.done();
	};
	return {
		emit(event) {
			const line = lastingLine(event, picture);
			picture.note(event, Date.now());
			if (line !== undefined) draw.persist(colour ? styleText(styleOf(event), line) : line);
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
			for (const fault of faultsOf(error)) err.write(`${faultText(fault, colour)}\n`);
		},
		close,
	};
}

/** What scrolls by: not what the picture shows anyway, and of a host its new states only. */
function lastingLine(event: RunEvent, picture: Picture): string | undefined {
	if (event.type === "waiting" || (event.type === "step-finished" && event.skipped)) return undefined;
	if (event.type !== "host") return eventLine(event);
	return picture.hosts.get(event.host)?.state === event.state
		? undefined
		: eventLine({ ...event, detail: "" });
}

function styleOf(event: RunEvent): "red" | "green" | "yellow" | "dim" {
	if (event.type === "step-failed") return "red";
	if (event.type === "step-finished") return "green";
	return event.type === "note" && event.level === "warning" ? "yellow" : "dim";
}
