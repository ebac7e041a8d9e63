// Compiles to dist/: type errors fail it, and outputs whose source is gone are removed (tsc never does that, so a deleted
// test would go on passing). Costs nothing when no input has changed. Two builds at once wait for each other.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lock } from "./lib/lock.mjs";
import { ended, forwardSignals, startGroup } from "./lib/processes.mjs";
import { filesBelow, root, sourceFolders } from "./lib/project.mjs";

const stamp = join(root, "dist/.built");
const incrementalState = join(root, "dist/.tsbuildinfo");

forwardSignals();
const release = lock(join(root, "tsconfig.json"), () => console.error("build: waiting for another build"));
process.exitCode = await build();
release();

/** The exit code: 0 when everything in dist/ stems from the sources as they are now, without a type error. */
async function build() {
	const sources = sourceFolders
		.flatMap((folder) => filesBelow(folder, ".ts"))
		.filter((path) => !path.endsWith(".d.ts"));
	removeStale(new Set(sources));
	const complete = sources.every((source) => existsSync(outputOf(source)));
	const inputs = fingerprint(sources);
	if (complete && existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return 0;

	rmSync(stamp, { force: true });
	// tsc believes that what it once wrote is still there.
	if (!complete) rmSync(incrementalState, { force: true });
	const tsc = startGroup([process.execPath, "node_modules/typescript/bin/tsc", "-p", "."], {
		cwd: root,
		stdio: ["ignore", "inherit", "inherit"],
	});
	const result = await ended(tsc);
	if (result !== 0) return 1;
	mkdirSync(dirname(stamp), { recursive: true });
	writeFileSync(stamp, inputs);
	return 0;
}

function removeStale(sources) {
	const outputs = [...filesBelow("dist", ".js"), ...filesBelow("dist", ".js.map")];
	for (const output of outputs) {
		const source = output.replace(/^dist\//, "").replace(/\.js(\.map)?$/, ".ts");
		if (sources.has(source)) continue;
		rmSync(join(root, output));
		removeEmptyParents(dirname(output));
	}
}

function removeEmptyParents(folder) {
	if (folder === "dist" || readdirSync(join(root, folder)).length > 0) return;
	rmdirSync(join(root, folder));
	removeEmptyParents(dirname(folder));
}

function outputOf(source) {
	return join(root, "dist", source.replace(/\.ts$/, ".js"));
}

/** Over the content of all that tsc reads, the compiler and the types of the packages included. */
function fingerprint(sources) {
	const hash = createHash("sha256");
	for (const path of ["tsconfig.json", "package.json", "package-lock.json", ...sources]) {
		const content = readFileSync(join(root, path));
		hash.update(`${path}\0${content.length}\0`).update(content);
	}
	return hash.digest("hex");
}
