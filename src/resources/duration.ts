import { z } from "zod";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;

const FORM = /^(\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/** `90s`, `30m`, `1h30m` → milliseconds; throws a `RangeError` that says what was wrong. */
export function parseDuration(text: string): number {
	if (!FORM.test(text))
		throw new RangeError(`${JSON.stringify(text)} is not a duration such as 90s, 30m or 2h`);
	let total = 0;
	for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
		total += Number(amount) * UNIT_MS[unit as Unit];
	if (total <= 0) throw new RangeError(`${JSON.stringify(text)} is no time at all`);
	// setTimeout wraps around beyond 2^31 - 1 ms and would fire at once.
	if (total > 2 ** 31 - 1) throw new RangeError(`${JSON.stringify(text)} is more than 24 days`);
	return Math.round(total);
}

/** Milliseconds → the shortest form that `parseDuration` reads back: `5400000` → `1h30m`. */
export function formatDuration(ms: number): string {
	let rest = Math.round(ms);
	let text = "";
	for (const unit of ["h", "m", "s", "ms"] as const) {
		const amount = Math.floor(rest / UNIT_MS[unit]);
		if (amount > 0) text += `${amount}${unit}`;
		rest -= amount * UNIT_MS[unit];
	}
	return text === "" ? "0ms" : text;
}

/** A duration in a manifest; the value is milliseconds. */
export const durationSchema = z.string().transform((text, context) => {
	try {
		return parseDuration(text);
	} catch (error) {
		context.addIssue({ code: "custom", message: (error as Error).message });
		return z.NEVER;
	}
});
