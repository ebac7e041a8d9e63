import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Moment } from "../../lab/story/crash.ts";
import { openTally, type Tally, type Totals, wordsOf } from "./crash/points.ts";
import { bothWays, isLast, listAll, thereAndBack } from "./pivot/chains.ts";
import { modelPart } from "./pivot/model-part.ts";

/*
 * Kills a hand-over, and its rollback, at every moment at which its journal grows; a new process goes on. The target is a
 * real API server with models of the operators; the source a real stack with three servers that are switched off, or (part
 * `model`) a model of it, so that every moment gets a hand-over of its own.
 */

const usage = `usage: npm run exhaustive -- pivot [--json] [--part model|chains|back]... [--only REGEX]

  model   every moment by itself: forward and on, forward and back, back and on
  chains  a real stack: kill, go on, kill, go on ... forward and back
  back    a real stack: kill the way forward at every fourth moment, and take it back from there`;

async function main(words: readonly string[]): Promise<number> {
	const value = (flag: string) =>
		words.flatMap((word, index) => (word === flag ? [words[index + 1] ?? ""] : []));
	const known = ["model", "chains", "back"];
	const parts = value("--part").length > 0 ? value("--part") : known;
	if (words.includes("--help") || parts.some((part) => !known.includes(part))) {
		console.error(usage);
		return words.includes("--help") ? 0 : 2;
	}
	const [only] = value("--only");
	const say = (line: string) => process.stderr.write(`${line}\n`);
	const tally = openTally(only === undefined ? undefined : new RegExp(only), say);
	const failures: unknown[] = [];
	const attempt = (work: Promise<void>) => work.catch((error: unknown) => failures.push(error));
	if (parts.includes("model"))
		await attempt(modelPart(tally, join(tmpdir(), `ironstrap-pivot-${process.pid}`)));
	if (parts.some((part) => part !== "model")) await attempt(realPart(tally, parts));
	for (const failure of failures) say(wordsOf(failure));
	const { crashPoints, points, unresolved }: Totals = tally.totals();
	// the checker throws what it finds, and the point is then unresolved
	const judged = (word: string) => points.filter(({ error }) => error?.includes(`${word}: `)).length;
	const totals = {
		crashPoints,
		doubleManagers: judged("doubleManagers"),
		lostHosts: judged("lostHosts"),
		bmcWrites: judged("bmcWrites"),
		unresolved,
	};
	if (words.includes("--json")) console.log(JSON.stringify(totals));
	else
		console.log(
			Object.entries(totals)
				.map(([name, count]) => `${count} ${name}`)
				.join(", "),
		);
	return crashPoints > 0 && unresolved === 0 && failures.length === 0 ? 0 : 1;
}

async function realPart(tally: Tally, parts: readonly string[]): Promise<void> {
	const { back, forward } = await listAll();
	const failures: unknown[] = [];
	const attempt = (work: Promise<void>) => work.catch((error: unknown) => failures.push(error));
	const split = (all: readonly Moment[], last: boolean) => all.filter((moment) => isLast(moment) === last);
	if (parts.includes("chains"))
		for (const last of [false, true]) await attempt(bothWays(tally, split(back, last), split(forward, last)));
	const some = forward.filter(({ step }, index) => index % 4 === 1 && step !== "pivot:commit");
	if (parts.includes("back")) await attempt(thereAndBack(tally, some));
	if (failures.length > 0) throw failures[0];
}

main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		const { message, seen } = error as Error & { seen?: string };
		console.error(`exhaustive pivot: ${message}${seen === undefined ? "" : `\n${seen}`}`);
		process.exitCode = 1;
	},
);
