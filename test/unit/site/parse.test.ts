import test from "ava";
import { parseDocuments } from "../../../src/site/parse.ts";
import { ironicText, lintText, summary } from "../../support/site-text.ts";

const values = (text: string) => parseDocuments(text, "f").documents.map(({ value }) => value);
const faults = (text: string) => summary(parseDocuments(text, "f").findings);

test("several documents, comments and empty ones", (t) => {
	t.deepEqual(values("# nothing\n---\na: 1\n---\n---\n# still nothing\n---\nb: 2\n"), [{ a: 1 }, { b: 2 }]);
	t.deepEqual(values(""), []);
	t.deepEqual(values("\uFEFFa: 1"), [{ a: 1 }]);
});

test("JSON is read too, also with tabs", (t) => {
	t.deepEqual(values('{\n\t"a": [1, "x\\u0041", null, true],\n\t"b": {"c": 1.5}\n}\n'), [
		{ a: [1, "xA", null, true], b: { c: 1.5 } },
	]);
});

test("a List of kubectl is taken apart, with positions", (t) => {
	const { documents } = parseDocuments(
		"kind: List\napiVersion: v1\nitems:\n- kind: A\n- kind: B\n  spec:\n    x: 1\n",
		"f",
	);
	t.deepEqual(
		documents.map(({ value }) => value),
		[{ kind: "A" }, { kind: "B", spec: { x: 1 } }],
	);
	t.deepEqual(documents[1]?.locate(["spec", "x"]), { file: "f", line: 7, column: 8 });
	t.deepEqual(documents[1]?.locate([]), { file: "f", line: 5, column: 3 });
});

test("positions: a scalar itself, a mapping's key, the nearest parent of what is not there", (t) => {
	const [document] = parseDocuments("a:\n  b: [x, {c: 1}]\n  d: {e: f}\n", "f").documents;
	t.deepEqual(document?.locate(["a", "b", 0]), { file: "f", line: 2, column: 7 });
	t.deepEqual(document?.locate(["a", "b", 1, "c"]), { file: "f", line: 2, column: 14 });
	t.deepEqual(document?.locate(["a", "d"]), { file: "f", line: 3, column: 3 });
	t.deepEqual(document?.locate(["a", "d", "x", "y"]), { file: "f", line: 3, column: 3 });
	t.deepEqual(document?.locateKey(["a", "d", "e"]), { file: "f", line: 3, column: 7 });
	t.deepEqual(document?.locate([]), { file: "f", line: 1, column: 1 });
});

test("anchors, aliases and merged maps keep their positions", (t) => {
	const [document] = parseDocuments(
		"base: &base {x: 1}\nuse:\n  <<: *base\n  y: 2\nsame: *base\n",
		"f",
	).documents;
	t.deepEqual(document?.value, { base: { x: 1 }, use: { x: 1, y: 2 }, same: { x: 1 } });
	t.deepEqual(document?.locate(["use", "x"]), { file: "f", line: 1, column: 17 });
	t.deepEqual(document?.locate(["same"]), { file: "f", line: 5, column: 7 });
	t.deepEqual(document?.locate(["same", "x"]), { file: "f", line: 1, column: 17 });
});

for (const [title, text, expected] of [
	["a duplicate key", "a: 1\nb: 2\na: 3\n", ["error yaml-duplicate-key 3:1"]],
	["a duplicate key deep inside, and in JSON", '{"x": {"a": 1, "a": 2}}', ["error yaml-duplicate-key 1:16"]],
	["a tab as indentation", "a:\n\tb: 1\n", ["error yaml-tab 2:1"]],
	["a quote that is not closed", 'a: "hunter2\nb: 1\n', ["error yaml-syntax 3:1"]],
	["a bracket that is not closed", "a: [1, 2\n", ["error yaml-indent 2:1"]],
	["an alias within its own anchor", "a: &a {b: {c: *a}}\n", ["error yaml-alias 1:15"]],
	["a merge within its own anchor", "a: &a\n  b: 1\n  <<: *a\n", ["error yaml-alias 3:7"]],
	["an alias before its anchor", "a: *b\nb: &b 1\n", ["error yaml-alias 1:4"]],
	["an alias without anchor", "a: *b\n", ["error yaml-alias 1:4"]],
	["a tag", "a: !vault hunter2\n", ["error yaml-tag 1:4"]],
	["an unknown escape", 'a: "\\q"\n', ["error yaml-syntax 1:5"]],
] as const)
	test(`${title} is told with its place and without the text`, (t) => {
		const { documents, findings } = parseDocuments(text, "f");
		t.deepEqual(summary(findings), [...expected]);
		t.deepEqual(documents, []);
		t.notRegex(JSON.stringify(findings), /hunter2/);
	});

test("a fault in one document does not hide the others", (t) => {
	const { documents, findings } = parseDocuments("a: 1\n---\na: 1\na: 2\n---\nb: 2\n", "f");
	t.deepEqual(
		documents.map(({ value }) => value),
		[{ a: 1 }, { b: 2 }],
	);
	t.deepEqual(summary(findings), ["error yaml-duplicate-key 4:1"]);
});

test("aliases that multiply are refused", (t) => {
	const lines = Array.from(
		{ length: 12 },
		(_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(", ")}]`,
	);
	t.deepEqual(faults(`l0: &l0 [x]\n${lines.join("\n")}\n`), ["error yaml-alias 1:1"]);
});

test("deep nesting and endless texts are refused", (t) => {
	t.deepEqual(
		faults("[".repeat(100_000)).map((text) => text.split(" ")[1]),
		["yaml-too-deep"],
	);
	t.deepEqual(
		faults("{a: ".repeat(20_000)).map((text) => text.split(" ")[1]),
		["yaml-too-deep"],
	);
	t.deepEqual(faults("a".repeat(8 * 1024 * 1024 + 1)), ["error text-too-long 1:1"]);
});

test("many keys take no more than their time", (t) => {
	const started = process.cpuUsage();
	parseDocuments(Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`).join("\n"), "f");
	// of the processor, not of the clock: others may be busy
	t.true(process.cpuUsage(started).user < 5_000_000);
});

test("many aliases take no more than their time", (t) => {
	const started = process.cpuUsage();
	parseDocuments(`a: &a x\nb:\n${"- *a\n".repeat(30_000)}`, "f");
	// of the processor, not of the clock: others may be busy
	t.true(process.cpuUsage(started).user < 5_000_000);
});

test("words that kubectl reads as true or false are pointed out, quoted ones are not", (t) => {
	t.deepEqual(faults("a: yes\nb: 'no'\non: x\nc: [off]\n"), [
		"warning yaml-yes-no 1:4",
		"warning yaml-yes-no 4:5",
	]);
});

test("numbers and dates are what YAML 1.2 says", (t) => {
	t.deepEqual(values("a: 12:30:45\nb: 2026-01-31\nc: 52:54:00:12:34:56\nd: 1e3\ne: 0x10\n"), [
		{ a: "12:30:45", b: "2026-01-31", c: "52:54:00:12:34:56", d: 1000, e: 16 },
	]);
});

test("a key named __proto__ is a field like any other", (t) => {
	t.deepEqual(summary(lintText(`${ironicText("  {}")}\n__proto__: {a: 1}\nconstructor: 1\n`)), [
		"error unknown-field 6:1",
		"error unknown-field 7:1",
	]);
});
