import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { storyArtefacts } from "../../../lab/story/artefacts.ts";
import { killAt, listMoments, type Moment } from "../../../lab/story/crash.ts";
import { serveImages } from "../../../lab/story/image-server.ts";
import { siteManifests, siteOfLab, writeManifests } from "../../../lab/story/site.ts";
import { lookAtWorld, type World } from "../../../lab/story/world.ts";
import { leftAfterPurge, mustHaveConductor, purge, site, succeed } from "../../support/bare-stack.ts";
import { mustEqual } from "./machine.ts";
import { type Tally, wordsOf } from "./points.ts";

/*
 * A server takes more than a minute to its final state, so a point does not get a deployment of its own: in a chain, a
 * run is killed at one moment, the next run goes on from there until it is killed at the next moment, and so forth; the
 * last one runs to its end, which must be that of an uninterrupted run. A step that was done when its process died is
 * not done again and leaves no record, so that a step's last moment needs a chain of its own.
 */

/** Kills in the middle of what a server does by itself, milliseconds after a step began. */
const late: readonly (readonly [step: RegExp, milliseconds: number])[] = [
	[/:inspect$/, 5000],
	[/:provision$/, 5000],
	[/:provision$/, 15_000],
];

export async function hostPart(tally: Tally): Promise<void> {
	const clean = await withServer(async (story) => {
		const { moments, outcome } = await listMoments(story.lab.sandbox, story.up);
		if (outcome.exitCode !== 0) throw new Error(`the clean run: ${JSON.stringify(outcome.result)}`);
		const world = await lookAtWorld(story.lab.sandbox, site);
		return {
			moments: moments.filter(({ step }) => step.startsWith("host:")),
			world,
			boots: bootsOf(story.lab),
		};
	});
	const isLast = ({ phase, when }: Moment) => phase === "done" && when === "after";
	const inside = clean.moments.filter((moment) => !isLast(moment)).flatMap(withLate);
	for (const moments of [inside, clean.moments.filter(isLast)]) {
		const wanted = moments.filter(tally.wanted);
		if (wanted.length > 0) await withServer((story) => chain(tally, story, wanted, clean));
	}
}

function withLate(moment: Moment): readonly Moment[] {
	if (moment.phase !== "begin" || moment.when !== "after") return [moment];
	const delays = late.filter(([step]) => step.test(moment.step));
	return [moment, ...delays.map(([, milliseconds]) => ({ ...moment, late: milliseconds }))];
}

interface Story {
	readonly lab: Lab;
	readonly up: readonly string[];
}

/** All points of a chain stand or fall with its end. */
async function chain(
	tally: Tally,
	{ lab, up }: Story,
	moments: readonly Moment[],
	clean: { readonly world: World; readonly boots: number },
): Promise<void> {
	const done: { moment: Moment; seconds: number }[] = [];
	let error: string | undefined;
	try {
		for (const moment of moments) {
			const started = performance.now();
			process.stderr.write(
				`chain: kill ${moment.when} ${moment.phase} ${moment.step} ${moment.late ?? ""}\n`,
			);
			done.push({ moment, seconds: 0 });
			await killAt(lab.sandbox, up, moment);
			done.push({
				moment: (done.pop() as { moment: Moment }).moment,
				seconds: (performance.now() - started) / 1000,
			});
		}
		await succeed(lab.sandbox, up);
		mustEqual(clean.world, await lookAtWorld(lab.sandbox, site), false);
		await mustHaveConductor(lab.sandbox);
		const boots = bootsOf(lab);
		if (boots > clean.boots) throw new Error(`the server booted ${boots} times instead of ${clean.boots}`);
		await mustBeQuiet(lab, up);
	} catch (thrown) {
		error = wordsOf(thrown);
	}
	for (const { moment, seconds } of done) tally.add(moment, seconds, error);
	await succeed(lab.sandbox, purge);
	tally.leftovers(await leftAfterPurge(lab.sandbox));
}

/** A provisioned server is left alone: another run asks its BMC, but tells it nothing. */
async function mustBeQuiet(lab: Lab, up: readonly string[]): Promise<void> {
	const before = (await lab.bmc.requests()).length;
	await succeed(lab.sandbox, up);
	const writes = (await lab.bmc.requests())
		.slice(before)
		.filter(({ method, path }) => method !== "GET" && !path.includes("/SessionService/"));
	if (writes.length > 0)
		throw new Error(
			`written to the BMC after provisioned: ${writes.map(({ method, path }) => `${method} ${path}`)}`,
		);
}

/** How often the server was switched on or reset. */
function bootsOf(lab: Lab): number {
	return readFileSync(lab.bmc.events, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as { event: string; name?: string })
		.filter(({ event, name }) => event === "power-on" || (event === "qemu" && name === "RESET")).length;
}

async function withServer<T>(work: (story: Story) => Promise<T>): Promise<T> {
	const artefacts = await storyArtefacts({ report: () => undefined });
	const lab = await startLab({ servers: [{ firmware: "uefi" }], imageStores: artefacts.imageStores });
	try {
		await serveImages(lab.sandbox, dirname(artefacts.os.image), new AbortController().signal);
		const manifests = siteManifests(siteOfLab(lab, artefacts, { boot: "ipxe", nonce: "crash" }));
		const folder = writeManifests(join(lab.workDir, "site"), manifests);
		return await work({ lab, up: ["up", "-f", folder] });
	} finally {
		await lab.stop();
	}
}
