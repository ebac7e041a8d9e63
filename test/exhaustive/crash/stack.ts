import { killAt, listMoments, type Moment } from "../../../lab/story/crash.ts";
import { lookAtWorld, type World } from "../../../lab/story/world.ts";
import { down, leftAfterPurge, purge, site, succeed } from "../../support/bare-stack.ts";
import { type Machine, mustBeUp, mustEqual, startMachine } from "./machine.ts";
import { type Tally, wordsOf } from "./points.ts";

const cyclesPerMachine = 12;

/** The ends that every killed and repeated command must come to. */
export interface References {
	readonly up: World;
	readonly down: World;
	readonly upAgain: World;
}

/**
 * `up` from nothing and `down --purge`: each round kills one of either, so that one stack serves two points.
 */
export async function stackPart(tally: Tally): Promise<void> {
	const { moments, references } = await cleanRun();
	await rounds(tally, moments.up, moments.purge, (machine, first, second) =>
		upAndPurge(tally, machine, references, first, second),
	);
}

/** `down` and the `up` after it, which finds secrets and database as they were: hashes must be the same ones. */
export async function downPart(tally: Tally): Promise<void> {
	const { moments, references } = await cleanRun();
	await rounds(tally, moments.down, moments.upAgain, (machine, first, second) =>
		downAndUp(tally, machine, references, first, second),
	);
}

/** From nothing to nothing. */
async function upAndPurge(
	tally: Tally,
	machine: Machine,
	references: References,
	atUp: Moment | undefined,
	atPurge: Moment | undefined,
): Promise<boolean> {
	return (await bringUp(tally, machine, references, atUp)) && purgeAll(tally, machine, atPurge);
}

/** From nothing to a stack. */
export function bringUp(
	tally: Tally,
	machine: Machine,
	references: References,
	moment: Moment | undefined,
): Promise<boolean> {
	return killOrRun(tally, machine, moment, machine.up, async () => {
		await mustBeUp(machine, references.up);
	});
}

/** To nothing. */
export function purgeAll(tally: Tally, machine: Machine, moment: Moment | undefined): Promise<boolean> {
	return killOrRun(tally, machine, moment, purge, async () => {
		const left = await leftAfterPurge(machine.sandbox);
		tally.leftovers(left);
		if (left.length > 0) throw new Error("something is left");
	});
}

/** Down and up again; a stack that is up already is used as it is, and stays up. */
export async function downAndUp(
	tally: Tally,
	machine: Machine,
	references: References,
	atDown: Moment | undefined,
	atUp: Moment | undefined,
): Promise<boolean> {
	const { sandbox } = machine;
	await succeed(sandbox, machine.up);
	const { hashes } = await lookAtWorld(sandbox, site);
	const isDown = await killOrRun(tally, machine, atDown, down, async () => {
		mustEqual(references.down, await lookAtWorld(sandbox, site), false);
	});
	return (
		isDown &&
		killOrRun(tally, machine, atUp, machine.up, async () => {
			await mustBeUp(machine, { ...references.upAgain, hashes }, true);
		})
	);
}

async function cleanRun() {
	const machine = await startMachine();
	try {
		return await cleanLife(machine);
	} finally {
		await machine.stop();
	}
}

/** One uninterrupted life of a stack: where its commands could be killed, and what they come to. */
export async function cleanLife(machine: Machine) {
	const { sandbox } = machine;
	const run = async (args: readonly string[]) => {
		const { moments, outcome } = await listMoments(sandbox, args);
		if (outcome.exitCode !== 0)
			throw new Error(`the clean run of ${args[0]}: ${JSON.stringify(outcome.result)}`);
		return { moments, world: await lookAtWorld(sandbox, site) };
	};
	const first = await run(machine.up);
	const stopped = await run(down);
	const again = await run(machine.up);
	const purged = await run(purge);
	const left = await leftAfterPurge(sandbox);
	if (left.length > 0) throw new Error(`the clean run left ${left.join(", ")}`);
	return {
		moments: { up: first.moments, down: stopped.moments, upAgain: again.moments, purge: purged.moments },
		references: { up: first.world, down: stopped.world, upAgain: again.world } satisfies References,
	};
}

type Round = (machine: Machine, first: Moment | undefined, second: Moment | undefined) => Promise<boolean>;

/** Goes through two lists of moments side by side; a machine on which something failed is not used again. */
async function rounds(
	tally: Tally,
	first: readonly Moment[],
	second: readonly Moment[],
	round: Round,
): Promise<void> {
	const pairs = pairUp(first.filter(tally.wanted), second.filter(tally.wanted));
	let machine: Machine | undefined;
	try {
		for (let pair = pairs.shift(), count = 1; pair !== undefined; pair = pairs.shift(), count += 1) {
			machine ??= await startMachine();
			const error = await failureOf(() => round(machine as Machine, ...pair));
			const [at, then] = pair;
			if (error !== undefined && at === undefined && then !== undefined && !tally.has(then))
				tally.add(then, 0, error);
			if (error !== undefined && at !== undefined) {
				if (!tally.has(at)) tally.add(at, 0, error);
				if (then !== undefined && !tally.has(then)) pairs.unshift([undefined, then]);
			}
			if (error === undefined && count % cyclesPerMachine !== 0) continue;
			await machine.stop();
			machine = undefined;
		}
	} finally {
		await machine?.stop();
	}
}

type Pair = readonly [Moment | undefined, Moment | undefined];

function pairUp(first: readonly Moment[], second: readonly Moment[]): Pair[] {
	return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [
		first[index],
		second[index],
	]);
}

async function failureOf(work: () => Promise<boolean>): Promise<string | undefined> {
	try {
		return (await work()) ? undefined : "an earlier point failed";
	} catch (error) {
		return wordsOf(error);
	}
}

/** Kills the command at the moment and repeats it in a new process; without a moment it just runs. */
async function killOrRun(
	tally: Tally,
	{ sandbox }: Machine,
	moment: Moment | undefined,
	args: readonly string[],
	check: () => Promise<void>,
): Promise<boolean> {
	if (moment === undefined) {
		await succeed(sandbox, args);
		return true;
	}
	return tally.point(moment, async () => {
		await killAt(sandbox, args, moment);
		await succeed(sandbox, args);
		await check();
	});
}
