import { exportPart } from "./crash/export.ts";
import { hostPart } from "./crash/hosts.ts";
import { openTally } from "./crash/points.ts";
import { downPart, stackPart } from "./crash/stack.ts";

/*
 * Kills every command that changes something at every moment at which its journal grows, then runs the same command
 * once more in a new process and compares its end with an uninterrupted one. In a sandbox, with a real engine; the
 * part `hosts` with an emulated server.
 */

const usage = `usage: npm run exhaustive -- up [--json] [--part stack|down|export|hosts]... [--only REGEX]

  stack   up from nothing, and down --purge
  down    down, and the up after it
  export  pivot --export
  hosts   up with a server that boots, is inspected and deployed
  --only  points whose "COMMAND: WHEN PHASE STEP" matches`;

const parts = { stack: stackPart, down: downPart, export: exportPart, hosts: hostPart };

async function main(words: readonly string[]): Promise<number> {
	const value = (flag: string) =>
		words.flatMap((word, index) => (word === flag ? [words[index + 1] ?? ""] : []));
	const chosen = value("--part").length > 0 ? value("--part") : Object.keys(parts);
	if (words.includes("--help") || chosen.some((name) => !(name in parts))) {
		console.error(usage);
		return words.includes("--help") ? 0 : 2;
	}
	const [only] = value("--only");
	const say = (line: string) => process.stderr.write(`${line}\n`);
	const tally = openTally(only === undefined ? undefined : new RegExp(only), say);
	for (const name of chosen) {
		say(`# ${name}`);
		await parts[name as keyof typeof parts](tally);
	}
	const totals = tally.totals();
	const { crashPoints, leftovers, unresolved } = totals;
	say(`${crashPoints} points, ${unresolved} unresolved, ${leftovers} left over`);
	if (words.includes("--json")) console.log(JSON.stringify(totals));
	return crashPoints > 0 && unresolved === 0 && leftovers === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		const { message, seen } = error as Error & { seen?: string };
		console.error(`exhaustive up: ${message}${seen === undefined ? "" : `\n${seen}`}`);
		process.exitCode = 1;
	},
);
