import test from "ava";
import { compareSeries } from "../../../src/resources/version-series.ts";

test("only the first two numbers of a version tell an older series", (t) => {
	t.is(compareSeries("11.8.9", "11.8.2"), 0);
	t.true(compareSeries("10.11.18", "11.8.9") < 0);
	t.true(compareSeries("11.8.9", "11.10.1") < 0);
	t.true(compareSeries("29.0.5", "21.4.4") > 0);
	t.is(compareSeries("38.0", "38.0.1.dev5"), 0);
	t.true(compareSeries("11", "11.8.9") < 0);
});
