import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { createProject, run, write } from "./project.ts";

const build = [process.execPath, "tools/build.mjs"];

test("outputs of deleted sources disappear, with their folders", async (t) => {
	const project = await createProject(t, { "test/unit/old/gone.test.ts": "export {};\n" });
	t.is((await run(project, build)).end, 0);
	t.true(existsSync(join(project, "dist/test/unit/old/gone.test.js")));

	await rm(join(project, "test/unit/old"), { recursive: true });
	t.is((await run(project, build)).end, 0);
	t.false(existsSync(join(project, "dist/test/unit/old")));
	t.true(existsSync(join(project, "dist/test/unit/words.test.js")));
});

test("an unchanged project is not compiled again, a changed or damaged one is", async (t) => {
	const project = await createProject(t);
	const output = join(project, "dist/src/lib/text.js");
	const state = join(project, "dist/.tsbuildinfo");
	await run(project, build);
	const { mtimeMs } = await stat(state);

	t.is((await run(project, build)).end, 0);
	t.is((await stat(state)).mtimeMs, mtimeMs);

	await rm(output);
	t.is((await run(project, build)).end, 0);
	t.true(existsSync(output));

	await write(project, { "src/lib/text.ts": 'export const greeting: string = "good morning";\n' });
	t.is((await run(project, build)).end, 0);
	t.regex(await readFile(output, "utf8"), /good morning/);
});

test("a type error fails the build, again and again until it is mended", async (t) => {
	const project = await createProject(t, { "src/lib/text.ts": "export const greeting: string = 1;\n" });
	for (const attempt of [1, 2]) {
		const { end, stdout } = await run(project, build);
		t.is(end, 1, `attempt ${attempt}`);
		t.regex(stdout, /src\/lib\/text\.ts\(1,14\): error TS2322/);
	}
	await write(project, { "src/lib/text.ts": 'export const greeting = "hello";\n' });
	t.is((await run(project, build)).end, 0);
});

test("two builds at once both succeed", async (t) => {
	const project = await createProject(t);
	const outcomes = await Promise.all([run(project, build), run(project, build)]);
	t.deepEqual(
		outcomes.map(({ end }) => end),
		[0, 0],
	);
	t.true(existsSync(join(project, "dist/src/lib/text.js")));
});
