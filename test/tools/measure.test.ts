import test from "ava";
import { createProject, run } from "./project.ts";

const measure = [process.execPath, "tools/measure.mjs"];
const programs = {
	"bench/good.ts":
		'console.log("working");\nconsole.log(JSON.stringify({ ok: true, words: process.argv.slice(2) }));\nexport {};\n',
	"bench/silent.ts": 'console.log("no result");\nexport {};\n',
	"bench/worse.ts": "console.log(JSON.stringify({ slower: true }));\nprocess.exitCode = 3;\nexport {};\n",
	"bench/shared/clock.ts": "export {};\n",
	"test/exhaustive/all.ts": 'console.log("{}");\nexport {};\n',
};

test("with --json the last line is one object, and the exit code tells whether it is a result", async (t) => {
	const project = await createProject(t, programs);

	const good = await run(project, [...measure, "bench", "good", "--json", "--rounds=2"]);
	t.deepEqual(JSON.parse(good.lastLine), { ok: true, words: ["--json", "--rounds=2"] });
	t.is(good.end, 0);

	const worse = await run(project, [...measure, "bench", "worse", "--json"]);
	t.deepEqual(JSON.parse(worse.lastLine), { slower: true });
	t.is(worse.end, 3);

	const silent = await run(project, [...measure, "bench", "silent", "--json"]);
	t.deepEqual(JSON.parse(silent.lastLine), {
		name: "silent",
		error: "silent ended with 0 and without a result",
	});
	t.is(silent.end, 1);

	const exhaustive = await run(project, [...measure, "exhaustive", "all", "--json"]);
	t.is(exhaustive.lastLine, "{}");
	t.is(exhaustive.end, 0);
});

test("an unknown name is refused with the names there are", async (t) => {
	const project = await createProject(t, programs);
	const { end, stderr, lastLine } = await run(project, [...measure, "bench", "fast", "--json"]);
	t.is(end, 1);
	t.is(stderr, "bench: there is no fast; there are: good, silent, worse\n");
	t.deepEqual(JSON.parse(lastLine), {
		name: "fast",
		error: "there is no fast; there are: good, silent, worse",
	});
});
