import test from "ava";
import fc from "fast-check";
import { changedBytes, changedStructure, misread, SITE_TEXT } from "../../support/mutants.ts";

// A bounded part: `npm run exhaustive -- lint` reads ten thousand.
const RUNS = { numRuns: 100 };

test("the text itself is read without a word", (t) => t.is(misread(Buffer.from(SITE_TEXT)), undefined));

test("changed bytes never crash the reader", (t) => {
	fc.assert(
		fc.property(changedBytes(SITE_TEXT), (bytes) => t.is(misread(bytes), undefined)),
		RUNS,
	);
});

test("changed structure never crashes the reader", (t) => {
	fc.assert(
		fc.property(changedStructure(SITE_TEXT), (bytes) => t.is(misread(bytes), undefined)),
		RUNS,
	);
});
