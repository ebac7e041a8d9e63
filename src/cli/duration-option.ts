import { IronstrapError } from "../lib/errors.ts";
import { parseDuration } from "../resources/duration.ts";

/** Milliseconds of an option such as `--timeout 30m`; fails with `usage`. */
export function durationOf(option: string, text: string): number {
	try {
		return parseDuration(text);
	} catch (error) {
		const { message } = error as RangeError;
		throw new IronstrapError({
			code: "usage",
			message: `${option}: ${message}`,
			fix: `for example ${option} 30m`,
		});
	}
}
