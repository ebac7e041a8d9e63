import type { Writable } from "node:stream";
import { faultsOf, type IronstrapError } from "../../lib/errors.ts";
import type { Reporter } from "./reporter.ts";

/** One JSON object a line; the last one is the result (`{"type":"result",…}`) or `{"type":"error","errors":[…]}`. */
export function jsonReporter(out: Writable): Reporter {
	const print = (value: object) => out.write(`${JSON.stringify(value)}\n`);
	return {
		emit: (event) =>
			print(event.type === "step-failed" ? { ...event, error: faultFields(event.error) } : event),
		result: (value) => print({ type: "result", ...value }),
		line: (fields) => print(fields),
		fail: (error) => print({ type: "error", errors: faultsOf(error).map(faultFields) }),
		close: () => undefined,
	};
}

function faultFields({ code, message, where, subject, seen, fix }: IronstrapError): object {
	return { code, message, where, subject, seen, fix };
}
