// Runs one long measurement: npm run bench -- NAME [--json …], npm run exhaustive -- NAME [--json …].
// With --json, the last line on stdout is one JSON object, whatever happens; the exit code says whether it is a result.
import { createInterface } from "node:readline";
import { lifetime } from "./lib/lifetime.mjs";
import { ended, forwardSignals, interruption, startGroup } from "./lib/processes.mjs";
import { filesBelow, root } from "./lib/project.mjs";
import { ownTemporaryFolder } from "./lib/temporary.mjs";

const kinds = { bench: "bench", exhaustive: "test/exhaustive" };

forwardSignals();
ownTemporaryFolder();
const [kind, ...words] = process.argv.slice(2);
const json = words.includes("--json");
const name = words.find((word) => !word.startsWith("-"));
process.exitCode = await main();

async function main() {
	const folder = kinds[kind];
	if (folder === undefined)
		return refuse(`what to run is one of ${Object.keys(kinds).join(", ")}, not ${kind}`);
	const names = programsOf(folder);
	if (!names.includes(name)) {
		const known = names.length > 0 ? `; there are: ${names.join(", ")}` : "; there are none yet";
		return refuse(`${name === undefined ? `npm run ${kind} needs a name` : `there is no ${name}`}${known}`);
	}
	if ((await build()) !== 0) return refuse("the build failed");
	const args = words.toSpliced(words.indexOf(name), 1);
	return run([process.execPath, "--enable-source-maps", `dist/${folder}/${name}.js`, ...args]);
}

/** Each file right in the folder is a program; what they share lies in folders below. */
function programsOf(folder) {
	return filesBelow(folder, ".ts")
		.map((path) => path.slice(folder.length + 1, -".ts".length))
		.filter((program) => !program.includes("/"));
}

function build() {
	return ended(startGroup([process.execPath, "tools/build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] }));
}

/** Its exit code; with --json only once its last line was seen to be an object. */
async function run(argv) {
	const command = process.getuid() === 0 ? lifetime(argv) : argv;
	const child = startGroup(command, { cwd: root, stdio: ["ignore", json ? "pipe" : "inherit", "inherit"] });
	let last = "";
	if (json) {
		createInterface({ input: child.stdout }).on("line", (line) => {
			console.log(line);
			if (line.trim() !== "") last = line;
		});
	}
	const result = await ended(child);
	if (interruption()) return refuse("interrupted");
	if (json && !isObject(last)) return refuse(`${name} ended with ${result} and without a result`);
	return typeof result === "number" ? result : 1;
}

function isObject(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}

function refuse(reason) {
	console.error(`${kind}: ${reason}`);
	if (json) console.log(JSON.stringify({ name: name ?? null, error: reason }));
	return 1;
}
