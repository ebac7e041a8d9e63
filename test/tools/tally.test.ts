import test from "ava";
import { createProject, type Files, run } from "./project.ts";

const passing = 'import test from "ava";\ntest("right", (t) => t.pass());\n';
const passingFile = { "dist/test/unit/right.test.js": passing };

test("a suite that passes", async (t) => {
	const { end, stdout, lastLine } = await tally(t, passingFile);
	t.is(lastLine, "1 passed, 0 failed");
	t.is(end, 0);
	t.regex(stdout, /^✔ unit: right$/m);
});

const faults: Readonly<
	Record<string, { readonly files: Files; readonly tally: RegExp; readonly says: RegExp }>
> = {
	"a failing test": {
		files: { "dist/test/unit/a.test.js": 'import test from "ava";\ntest("one", (t) => t.is(1, 2));\n' },
		tally: /^1 passed, 1 failed$/,
		says: /✘ unit: a › one\n(?: .*\n)*.*Difference/,
	},
	"a test that throws while it is imported": {
		files: {
			"dist/test/unit/a.test.js":
				'import test from "ava";\ntest("x", (t) => t.pass());\nthrow new Error("boom");\n',
		},
		tally: /^1 passed, 2 failed$/,
		says: /boom/,
	},
	"a test that ends the process with success": {
		files: {
			"dist/test/unit/a.test.js": 'import test from "ava";\ntest("leaves", () => process.exit(0));\n',
		},
		tally: /^[01] passed, 1 failed$/,
		says: /the runner ended with/,
	},
	"a test that kills its runner": {
		files: {
			"dist/test/unit/a.test.js":
				'import test from "ava";\ntest("kills", async (t) => { process.kill(process.ppid, "SIGKILL"); await new Promise(() => {}); });\n',
		},
		tally: /^[01] passed, 1 failed$/,
		says: /the runner ended with SIGKILL before its summary/,
	},
	"a promise that nobody catches": {
		files: {
			"dist/test/unit/a.test.js":
				'import test from "ava";\ntest("x", async (t) => { t.pass(); Promise.reject(new Error("lost")); await new Promise(setImmediate); });\n',
		},
		tally: /^[12] passed, [12] failed$/,
		says: /lost/,
	},
	"a test file without tests": {
		files: { "dist/test/unit/a.test.js": 'import "ava";\n' },
		tally: /^1 passed, 1 failed$/,
		says: /No tests found in dist\/test\/unit\/a\.test\.js/,
	},
};

for (const [fault, { files, tally: expected, says }] of Object.entries(faults)) {
	test(`counts as failed: ${fault}`, async (t) => {
		const { end, stdout, lastLine } = await tally(t, { ...passingFile, ...files });
		t.regex(lastLine, expected);
		t.is(end, 1);
		t.regex(stdout, says);
	});
}

test("counts as failed: an empty suite", async (t) => {
	const { end, lastLine } = await tally(t, { "dist/test/unit/readme.txt": "nothing here" });
	t.is(lastLine, "0 passed, 1 failed");
	t.is(end, 1);
});

test("counts as failed: a missing suite, while others pass", async (t) => {
	const { end, stdout, lastLine } = await tally(t, passingFile, ["unit", "integration"]);
	t.is(lastLine, "1 passed, 1 failed");
	t.is(end, 1);
	t.regex(stdout, /^✘ integration: there is no suite dist\/test\/integration$/m);
});

test("counts as failed: a Node binary that does not exist", async (t) => {
	const { end, lastLine } = await tally(t, passingFile, ["--node", "/nowhere/node", "unit"]);
	t.is(lastLine, "0 passed, 1 failed");
	t.is(end, 1);
});

test("nothing asked for is not success", async (t) => {
	const { end, lastLine } = await tally(t, passingFile, []);
	t.is(lastLine, "0 passed, 0 failed");
	t.is(end, 1);
});

test("a skipped test counts as neither", async (t) => {
	const { end, stdout, lastLine } = await tally(t, {
		...passingFile,
		"dist/test/unit/a.test.js": 'import test from "ava";\ntest.skip("later", (t) => t.pass());\n',
	});
	t.is(lastLine, "1 passed, 0 failed");
	t.is(end, 0);
	t.regex(stdout, /^- unit: a › later$/m);
});

test("a command counts as one test, and its output is shown when it fails", async (t) => {
	const words = ["--command", "true", "--command", "echo the reason; exit 3"];
	const { end, stdout, lastLine } = await tally(t, {}, words);
	t.is(lastLine, "1 passed, 1 failed");
	t.is(end, 1);
	t.regex(stdout, /ended with 3 .*\n {2}the reason$/m);
});

test("IRONSTRAP_TEST_ONLY chooses files by their path", async (t) => {
	const failing = 'import test from "ava";\ntest("wrong", (t) => t.fail());\n';
	const project = await createProject(t, { ...passingFile, "dist/test/unit/deep/wrong.test.js": failing });
	const { end, lastLine } = await run(project, [process.execPath, "tools/tally.mjs", "unit"], {
		IRONSTRAP_TEST_ONLY: "unit/right",
	});
	t.is(lastLine, "1 passed, 0 failed");
	t.is(end, 0);
});

async function tally(
	t: Parameters<typeof createProject>[0],
	files: Files,
	words: readonly string[] = ["unit"],
) {
	return run(await createProject(t, files), [process.execPath, "tools/tally.mjs", ...words]);
}
