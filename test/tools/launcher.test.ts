import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { transform } from "esbuild";
import { checkout, createProject, run } from "./project.ts";

const launcher = join(checkout, "bin/ironstrap.js");
const pretend = (version: string) =>
	`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });\n`;

test("nothing in the launcher is too new for Node 12", async (t) => {
	const source = await readFile(launcher, "utf8");
	const [kept, lowered] = await Promise.all(
		["esnext", "node12.20"].map((target) => transform(source, { target, format: "esm" })),
	);
	t.is(lowered?.code, kept?.code);
});

for (const version of ["12.22.12", "18.20.4", "20.18.3"]) {
	test(`Node ${version} is refused with one line`, async (t) => {
		const project = await createProject(t, { "old.cjs": pretend(version) });
		const { end, stdout, stderr } = await run(project, [
			process.execPath,
			"-r",
			"./old.cjs",
			"bin/ironstrap.js",
			"up",
		]);
		t.is(end, 2);
		t.is(stdout, "");
		t.is(stderr, `ironstrap needs Node.js 20.19 or newer; this is ${version} (${process.execPath})\n`);
	});
}

test("without a build it says what to run", async (t) => {
	const { end, stderr } = await run(await createProject(t), [process.execPath, "bin/ironstrap.js"]);
	t.is(end, 2);
	t.is(stderr, "ironstrap is not built: run `npm ci && npm run build` in its folder first\n");
});

for (const version of ["20.19.0", "22.1.0", "24.0.0"]) {
	test(`Node ${version} runs the command, and its result is the exit code`, async (t) => {
		const project = await createProject(t, {
			"new.cjs": pretend(version),
			"dist/src/cli/main.js":
				'export async function main(words) {\n\tconsole.log("main", ...words);\n\treturn 7;\n}\n',
		});
		const { end, stdout } = await run(project, [
			process.execPath,
			"-r",
			"./new.cjs",
			"bin/ironstrap.js",
			"up",
		]);
		t.is(stdout, "main up\n");
		t.is(end, 7);
	});
}
