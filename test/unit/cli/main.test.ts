import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test, { type ExecutionContext } from "ava";

/** The files that a run of the command loaded, as V8 reports them, below this folder. */
function loadedFiles(t: ExecutionContext, words: readonly string[]): readonly string[] {
	const folder = mkdtempSync(join(tmpdir(), "ironstrap-loaded-"));
	t.teardown(() => rmSync(folder, { recursive: true }));
	const env = { ...process.env, NODE_V8_COVERAGE: folder };
	execFileSync(process.execPath, ["bin/ironstrap.js", ...words], { env, stdio: "ignore" });
	const root = `${pathToFileURL(process.cwd()).href}/`;
	const urls = readdirSync(folder).flatMap((file) => {
		const { result } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
			result: readonly { url: string }[];
		};
		return result.map(({ url }) => url);
	});
	return urls.map((url) => url.replace(/^.*\/node_modules\//, `${root}node_modules/`).replace(root, ""));
}

test("--help is instant: it loads commander and the commands' declarations, nothing else", (t) => {
	const files = loadedFiles(t, ["--help"]).filter((file) => !file.startsWith("node:"));
	t.true(files.includes("dist/src/cli/main.js"));
	const others = files.filter(
		(file) => !/^(bin\/ironstrap\.js|dist\/src\/cli\/|node_modules\/commander\/)/.test(file),
	);
	t.deepEqual(others, []);
	t.deepEqual(
		files.filter((file) => file.endsWith("/handler.js")),
		[],
	);
});

for (const [words, code] of [
	[["up", "--help"], 0],
	[["hosts", "power", "--help"], 0],
	[["up", "--nonsense"], 2],
	[["hosts", "power"], 2],
] as const)
	test(`\`ironstrap ${words.join(" ")}\` ends with ${code}, and not as if it had been interrupted`, (t) => {
		const { status, stderr } = spawnSync(process.execPath, ["bin/ironstrap.js", ...words], {
			encoding: "utf8",
		});
		t.is(status, code);
		t.notRegex(stderr, /stopped before its work was done/);
	});
