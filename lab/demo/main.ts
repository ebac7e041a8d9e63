import { faultsOf } from "../../src/lib/errors.ts";
import { demoOptions, usage } from "./options.ts";
import { type DemoResult, tellStory } from "./story.ts";

/** Runs the demo; the exit code says whether the whole story was told. */
async function main(): Promise<number> {
	const options = demoOptions(process.argv.slice(2));
	if (options === "help") {
		console.log(usage);
		return 0;
	}
	const signal = interruption();
	const say = (text: string) => (options.json ? process.stderr : process.stdout).write(`${text}\n`);
	const result = await tellStory(options, say, signal);
	if (options.json) console.log(JSON.stringify(result));
	else say(summary(result));
	return result.state === "provisioned" && result.osBooted ? 0 : 1;
}

/** One signal is often two: Ctrl-C reaches npm as well, and its death is another signal to this process. */
const sameSignalMs = 2000;

/** Aborted by the first signal; a later one need not wait for anything, because the sandbox dies with this process. */
function interruption(): AbortSignal {
	const controller = new AbortController();
	let since = 0;
	const onSignal = (name: NodeJS.Signals) => {
		if (controller.signal.aborted) {
			if (performance.now() - since > sameSignalMs) process.exit(130);
			return;
		}
		since = performance.now();
		controller.abort(new Error(`interrupted by ${name}`));
	};
	process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
	return controller.signal;
}

function summary({ bundle, pivoted, stages, state }: DemoResult): string {
	const width = Math.max(...stages.map(({ name }) => name.length));
	const total = stages.reduce((sum, { name, seconds }) => (name === "up" ? sum : sum + seconds), 0);
	return [
		"",
		...stages.map(({ name, seconds }) => `  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s`),
		`  ${"all".padEnd(width)}  ${total.toFixed(1).padStart(6)} s`,
		"",
		`The server is ${state}, booted its own disk, and its hand-over bundle is in ${bundle}.`,
		...(pivoted === true ? ["The cluster's own Ironic has it now; nobody touched it on the way."] : []),
	].join("\n");
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		for (const { fix, message, seen, where } of faultsOf(error)) {
			const place = where === undefined ? "" : `${where.file}:${where.line}: `;
			console.error(
				`demo: ${place}${message}${seen === undefined ? "" : `\n  seen: ${seen}`}${fix === undefined ? "" : `\n  fix:  ${fix}`}`,
			);
		}
		process.exitCode = 1;
	},
);
