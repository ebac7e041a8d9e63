import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { cached, recipeKey } from "../../../lab/cache.ts";

interface Context {
	root: string;
	lines: string[];
	builds: number;
}

const of = (t: { context: unknown }): Context => t.context as Context;

test.beforeEach(async (t) => {
	const root = await mkdtemp(join(tmpdir(), "ironstrap-cache-"));
	t.context = { root, lines: [], builds: 0 } satisfies Context;
});

test.afterEach.always((t) => rm(of(t).root, { recursive: true }));

function get(context: Context, input: string, fail = false) {
	return cached(
		{
			name: "thing",
			inputs: [input],
			build: async (folder) => {
				context.builds++;
				await mkdir(join(folder, "sub"));
				await writeFile(join(folder, "sub/file"), input);
				if (fail) throw new Error("the build broke");
			},
		},
		{ root: context.root, report: (line) => context.lines.push(line) },
	);
}

const entries = async (root: string) =>
	(await readdir(root)).filter((name) => !name.startsWith(".lock")).sort();

test("the first use builds, the second does not, and both say so", async (t) => {
	const context = of(t);
	const first = await get(context, "a");
	const second = await get(context, "a");
	t.is(context.builds, 1);
	t.is(second.folder, first.folder);
	t.regex(context.lines[0] ?? "", /^cache miss thing [0-9a-f]{16} \d+\.\d$/);
	t.regex(context.lines[1] ?? "", /^cache hit thing [0-9a-f]{16} \d+\.\d$/);
});

test("a damaged, missing or additional file makes the entry worthless", async (t) => {
	const context = of(t);
	const { folder } = await get(context, "a");
	await writeFile(join(folder, "sub/file"), "A");
	t.false((await get(context, "a")).hit);
	await rm(join(folder, "sub/file"));
	t.false((await get(context, "a")).hit);
	await writeFile(join(folder, "more"), "");
	t.false((await get(context, "a")).hit);
	t.true((await get(context, "a")).hit);
	t.is(await readFile(join(folder, "sub/file"), "utf8"), "a");
});

test("a build that fails leaves nothing that looks finished", async (t) => {
	const context = of(t);
	await t.throwsAsync(get(context, "a", true), { message: "the build broke" });
	t.deepEqual(await entries(context.root), []);
});

test("what a killed build has left is not taken and goes away", async (t) => {
	const context = of(t);
	const draft = join(context.root, `.tmp-thing-${recipeKey(["a"])}`);
	const other = join(context.root, `.tmp-thing-${recipeKey(["z"])}`);
	await mkdir(draft);
	await mkdir(other);
	await writeFile(join(draft, "half"), "");
	const { folder } = await get(context, "a");
	t.deepEqual((await readdir(folder)).sort(), ["manifest.json", "sub"]);
	t.deepEqual(await entries(context.root), [`thing-${recipeKey(["a"])}`]);
});

test("two at once build once", async (t) => {
	const context = of(t);
	const both = await Promise.all([get(context, "a"), get(context, "a")]);
	t.is(context.builds, 1);
	t.deepEqual(both.map(({ hit }) => hit).sort(), [false, true]);
});

test("the two that were used last are kept, other artefacts are not touched", async (t) => {
	const context = of(t);
	await mkdir(join(context.root, `thing-else-${recipeKey(["a"])}`));
	for (const [input, age] of [
		["a", 300],
		["b", 200],
		["c", 100],
	] as const) {
		const { folder } = await get(context, input);
		const time = new Date(Date.now() - age * 1000);
		await utimes(folder, time, time);
	}
	const { folder } = await get(context, "d");
	t.deepEqual(
		await entries(context.root),
		[`thing-${recipeKey(["c"])}`, folder.split("/").at(-1), `thing-else-${recipeKey(["a"])}`].sort(),
	);
});

test("inputs are not just joined", (t) => {
	t.not(recipeKey(["ab", "c"]), recipeKey(["a", "bc"]));
	t.not(recipeKey(["a", "b"]), recipeKey(["b", "a"]));
});
