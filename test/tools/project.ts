import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ExecutionContext } from "ava";

/** The checkout; this file runs as dist/test/tools/project.js. */
export const checkout = fileURLToPath(new URL("../../..", import.meta.url));

const configuration = [
	".dependency-cruiser.mjs",
	"ava.config.js",
	"bin",
	"biome.json",
	"eslint.config.js",
	"package-lock.json",
	"package.json",
	"tools",
	"tsconfig.json",
];

/** Sources without a fault: a module, one that imports it, and a test. */
const soundFiles = {
	"src/lib/text.ts": 'export const greeting = "hello";\n',
	"src/stack/words.ts":
		'import { greeting } from "../lib/text.ts";\n\nexport const words = [greeting] as const;\n',
	"test/unit/words.test.ts":
		'import test from "ava";\nimport { words } from "../../src/stack/words.ts";\n\ntest("there is a word", (t) => {\n\tt.is(words[0], "hello");\n});\n',
};

export type Files = Readonly<Record<string, string>>;

/**
 * A small project with this checkout's real tools, configuration and packages, removed after the test.
 * `files` (path → text) are added to sound ones, or replace them.
 */
export async function createProject(t: ExecutionContext, files: Files = {}): Promise<string> {
	t.timeout(90_000);
	const folder = await mkdtemp(join(tmpdir(), "ironstrap-tools-"));
	t.teardown(() => rm(folder, { recursive: true, force: true }));
	for (const name of configuration) await cp(join(checkout, name), join(folder, name), { recursive: true });
	await symlink(join(checkout, "node_modules"), join(folder, "node_modules"));
	await write(folder, { ...soundFiles, ...files });
	return folder;
}

export async function write(folder: string, files: Files): Promise<void> {
	for (const [path, content] of Object.entries(files)) {
		const target = join(folder, path);
		await mkdir(dirname(target), { recursive: true });
		await writeFile(target, content);
	}
}

export interface Outcome {
	/** Exit code, or the signal that ended it. */
	readonly end: number | NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
	/** The last line on stdout. */
	readonly lastLine: string;
}

/** Runs a command in a folder to its end, in an environment without traces of the run that this test belongs to. */
export async function run(
	folder: string,
	argv: readonly string[],
	env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
	return outcomeOf(start(folder, argv, env));
}

export function start(folder: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
	const [command = "", ...args] = argv;
	return spawn(command, args, {
		cwd: folder,
		env: { ...cleanEnvironment(), ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
}

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
	const [stdout, stderr, [code, signal]] = await Promise.all([
		child.stdout === null ? "" : text(child.stdout),
		child.stderr === null ? "" : text(child.stderr),
		once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>,
	]);
	return { end: code ?? signal, stdout, stderr, lastLine: stdout.trimEnd().split("\n").at(-1) ?? "" };
}

function cleanEnvironment(): NodeJS.ProcessEnv {
	const { SUITE: _, IRONSTRAP_TEST_ONLY: __, NODE_ENV: ___, FORCE_COLOR: ____, ...env } = process.env;
	return env;
}
