import test from "ava";
import { createProject, type Files, run } from "./project.ts";

test("a sound project passes npm run check", async (t) => {
	const { end, stdout, lastLine } = await run(await createProject(t), [process.execPath, "tools/check.mjs"]);
	t.is(lastLine, "5 passed, 0 failed", stdout);
	t.is(end, 0);
});

test("npm run check counts each kind of fault", async (t) => {
	const project = await createProject(t, {
		"src/lib/wrong.ts":
			'import { words } from "../stack/words.ts";\n\nexport const wrong: number = words;\nasync function f() {}\nf( );\n',
		"test/unit/wrong.test.ts": 'import test from "ava";\n\ntest("wrong", (t) => t.fail());\n',
	});
	const { end, stdout, lastLine } = await run(project, [process.execPath, "tools/check.mjs"]);
	t.is(lastLine, "1 passed, 5 failed", stdout);
	t.is(end, 1);
	t.regex(stdout, /✘ types: .*\n(?: .*\n)*? +src\/lib\/wrong\.ts\(3,14\): error TS2322/);
	t.regex(stdout, /✘ formatting and lint/);
	t.regex(stdout, /✘ lint that needs types .*\n(?: .*\n)*?.*no-floating-promises/);
	t.regex(
		stdout,
		/✘ import rules .*\n.*src\/lib\/wrong\.ts → src\/stack\/words\.ts: src\/lib imports no other folder/,
	);
	t.regex(stdout, /✘ unit: wrong › wrong/);
});

test("an import of every forbidden kind is found", async (t) => {
	const project = await createProject(t, forbiddenImports());
	const { end, stdout } = await run(project, [process.execPath, "tools/imports.mjs"]);
	t.is(end, 1);
	const lines = stdout.split("\n");
	for (const { from, rule } of forbidden) {
		// A circle is reported once, from whichever of its files.
		const found = lines.some((line) => line.includes(from) && line.endsWith(`(${rule})`));
		t.true(found, `${from} should break ${rule}:\n${stdout}`);
	}
});

test("imports that the house allows are not faults", async (t) => {
	const files = Object.fromEntries(allowed.map(([from, to]) => [from, `export * from "${to}";\n`]));
	const targets = Object.fromEntries(targetPaths.map((path) => [path, `export const x = "${path}";\n`]));
	const { end, stdout } = await run(await createProject(t, { ...targets, ...files }), [
		process.execPath,
		"tools/imports.mjs",
	]);
	t.regex(stdout, /^0 faults in \d+ imports of \d+ files\n$/);
	t.is(end, 0);
});

test("import rules that looked at nothing are a fault", async (t) => {
	const project = await createProject(t);
	const { end, stdout } = await run(project, [
		"sh",
		"-c",
		`rm -r src test && exec '${process.execPath}' tools/imports.mjs`,
	]);
	t.regex(stdout, /no import was looked at/);
	t.is(end, 1);
});

test("the clock and the network are out of reach of pure folders, as globals too", async (t) => {
	const project = await createProject(t, {
		"src/fence/clock.ts":
			'export const a = Date.now();\nexport const b = new Date();\nexport const c = () => fetch("http://x");\n',
		"src/fence/sound.ts": 'export const parsed = new Date("2026-01-01T00:00:00Z");\n',
	});
	const { end, stdout } = await run(project, ["node_modules/.bin/eslint", "src"]);
	t.is(stdout.match(/Pure folders get it as an argument/g)?.length, 3, stdout);
	t.notRegex(stdout, /sound\.ts/);
	t.is(end, 1);
});

test("a comment cannot turn a rule off", async (t) => {
	const project = await createProject(t, {
		"src/lib/lost.ts": "async function f() {}\n// eslint-disable-next-line\nf();\nexport {};\n",
	});
	const { end, stdout } = await run(project, ["node_modules/.bin/eslint", "src"]);
	t.regex(stdout, /no-floating-promises/);
	t.is(end, 1);
});

interface Forbidden {
	readonly from: string;
	readonly text: string;
	readonly rule: string;
}

function value(from: string, to: string, rule: string): Forbidden {
	return { from, text: `import { x } from "${to}";\n\nexport const y = x;\n`, rule };
}

const forbidden: readonly Forbidden[] = [
	value("src/hosts/a.ts", "../pivot/target.ts", "layer-hosts"),
	value("src/hosts/b.ts", "../lifecycle/target.ts", "layer-hosts"),
	value("src/steps/a.ts", "../hosts/target.ts", "layer-steps"),
	value("src/stack/a.ts", "../engine/target.ts", "layer-stack"),
	value("src/resources/a.ts", "../site/target.ts", "layer-resources"),
	value("src/engine/a.ts", "../linux/target.ts", "layer-engine"),
	value("src/engine/b.ts", "../pivot/target.ts", "layer-engine"),
	value("src/lib/a.ts", "../resources/target.ts", "layer-lib"),
	{
		from: "src/kube/types.ts",
		text: 'import type { x } from "../ironic/target.ts";\n\nexport type Y = typeof x;\n',
		rule: "layer-kube",
	},
	{
		from: "src/bmc/inline.ts",
		text: 'export type Y = typeof import("../ironic/target.ts").x;\n',
		rule: "layer-bmc",
	},
	{
		from: "src/gather/lazy.ts",
		text: 'export const y = () => import("../pivot/target.ts");\n',
		rule: "layer-gather",
	},
	value("src/cli/up/a.ts", "../down/target.ts", "one-command-one-folder"),
	value("src/cli/render/a.ts", "../down/target.ts", "one-command-one-folder"),
	value("src/pivot/a.ts", "../cli/target.ts", "not-to-cli"),
	value("lab/b.ts", "../src/cli/target.ts", "not-to-cli"),
	value("src/hosts/c.ts", "../../lab/target.ts", "src-stands-alone"),
	value("lab/a.ts", "../src/engine/target.ts", "lab-drives-the-command"),
	value("lab/checker/a.ts", "../../src/lib/target.ts", "checker-is-independent"),
	value("lab/checker/b.ts", "../../lab/uses-resources.ts", "checker-is-independent-indirectly"),
	value("src/misc/a.ts", "../lib/target.ts", "unknown-folder"),
	value("src/top.ts", "./lib/target.ts", "unknown-folder"),
	{
		from: "src/fence/a.ts",
		text: 'import { readFileSync } from "node:fs";\n\nexport const y = readFileSync;\n',
		rule: "pure",
	},
	{
		from: "src/pki/a.ts",
		text: 'import { setTimeout } from "node:timers/promises";\n\nexport const y = setTimeout;\n',
		rule: "pure",
	},
	{
		from: "src/hosts/engine.ts",
		text: 'import Docker from "dockerode";\n\nexport const y = Docker;\n',
		rule: "library-dockerode",
	},
	{
		from: "src/pivot/engine.ts",
		text: 'import type Docker from "dockerode";\n\nexport type Y = Docker;\n',
		rule: "library-dockerode",
	},
	{
		from: "src/state/run.ts",
		text: 'import { execa } from "execa";\n\nexport const y = execa;\n',
		rule: "library-execa",
	},
	{
		from: "src/engine/http.ts",
		text: 'import { Agent } from "undici";\n\nexport const y = Agent;\n',
		rule: "library-undici",
	},
	{
		from: "src/fence/text.ts",
		text: 'import { parse } from "yaml";\n\nexport const y = parse;\n',
		rule: "library-yaml",
	},
	{
		from: "src/lib/forge.ts",
		text: 'import forge from "node-forge";\n\nexport const y = forge;\n',
		rule: "library-node-forge",
	},
	{
		from: "src/lib/lint.ts",
		text: 'import { ESLint } from "eslint";\n\nexport const y = ESLint;\n',
		rule: "no-development-packages",
	},
	{
		from: "src/lib/nowhere.ts",
		text: 'export const y = () => import("./missing.ts");\n',
		rule: "resolvable",
	},
	{
		from: "src/lib/circle.ts",
		text: 'import type { Z } from "./circle-back.ts";\n\nexport type Y = Z;\n',
		rule: "no-cycles",
	},
];

/** What the imports above and below point at. */
const targetPaths = [
	"src/pivot/target.ts",
	"src/lifecycle/target.ts",
	"src/hosts/target.ts",
	"src/engine/target.ts",
	"src/linux/target.ts",
	"src/site/target.ts",
	"src/stack/target.ts",
	"src/ironic/target.ts",
	"src/assets/target.ts",
	"src/resources/target.ts",
	"src/lib/target.ts",
	"src/steps/target.ts",
	"src/cli/target.ts",
	"src/cli/down/target.ts",
	"src/cli/render/target.ts",
	"lab/target.ts",
];

const allowed: readonly (readonly [from: string, to: string])[] = [
	["src/lifecycle/a.ts", "../hosts/target.ts"],
	["src/lifecycle/b.ts", "../engine/target.ts"],
	["src/hosts/a.ts", "../steps/target.ts"],
	["src/checks/a.ts", "../linux/target.ts"],
	["src/state/a.ts", "../stack/target.ts"],
	["src/images/a.ts", "../assets/target.ts"],
	["src/engine/a.ts", "../resources/target.ts"],
	["src/engine/c.ts", "../stack/target.ts"],
	["src/engine/b.ts", "dockerode"],
	["src/converge/a.ts", "../stack/target.ts"],
	["src/site/load.ts", "node:fs/promises"],
	["src/pki/a.ts", "node:crypto"],
	["src/cli/up/a.ts", "../render/target.ts"],
	["src/cli/up/b.ts", "../target.ts"],
	["src/cli/main.ts", "./up/b.ts"],
	["lab/a.ts", "../src/resources/target.ts"],
	["lab/checker/a.ts", "../target.ts"],
	["test/unit/a.ts", "../../src/cli/target.ts"],
	["bench/a.ts", "../lab/target.ts"],
];

function forbiddenImports(): Files {
	const target = (path: string) => [path, `export const x = "${path}";\n`] as const;
	return {
		...Object.fromEntries(targetPaths.map(target)),
		"lab/uses-resources.ts": 'import { x as y } from "../src/resources/target.ts";\n\nexport const x = y;\n',
		"src/lib/circle-back.ts": 'import type { Y } from "./circle.ts";\n\nexport type Z = Y | 1;\n',
		...Object.fromEntries(forbidden.map(({ from, text }) => [from, text])),
	};
}
