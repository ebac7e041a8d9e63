import test from "ava";
import fc from "fast-check";
import { durationSchema, formatDuration, parseDuration } from "../../../src/resources/duration.ts";

for (const [text, ms] of [
	["90s", 90_000],
	["30m", 1_800_000],
	["2h", 7_200_000],
	["1h30m", 5_400_000],
	["1.5m", 90_000],
	["250ms", 250],
	["1d", 86_400_000],
] as const)
	test(`${text} is ${ms} ms`, (t) => {
		t.is(parseDuration(text), ms);
	});

for (const [text, why] of [
	["", /not a duration/],
	["10", /not a duration/],
	["m", /not a duration/],
	["-1s", /not a duration/],
	["1 m", /not a duration/],
	["5min", /not a duration/],
	["0s", /no time at all/],
	["25d", /24 days/],
] as const)
	test(`${JSON.stringify(text)} is refused`, (t) => {
		t.throws(() => parseDuration(text), { instanceOf: RangeError, message: why });
		t.false(durationSchema.safeParse(text).success);
	});

test("what is written out reads back", (t) => {
	t.is(formatDuration(5_400_000), "1h30m");
	t.is(formatDuration(90_250), "1m30s250ms");
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (ms) => parseDuration(formatDuration(ms)) === ms),
	);
});
