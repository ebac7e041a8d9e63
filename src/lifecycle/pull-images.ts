import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type ImagePins, type MissingImage, missingImages } from "../checks/images.ts";
import type { Engine } from "../engine/engine.ts";
import { registryLogin } from "../images/sources.ts";
import type { Site } from "../resources/site.ts";
import { sitePaths } from "../state/layout.ts";
import { runParallel, runSteps } from "../steps/run.ts";
import type { Step, StepTools } from "../steps/step.ts";
import { readPins, storePins } from "./pins.ts";
import { type LifecycleOptions, withSession } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";

interface PullContext {
	readonly site: Site;
	readonly engine: Engine;
	/** Where pins are stored. */
	readonly file: string;
}

/**
 * Pulls the images that the engine lacks, all at the same time, and pins each to the digest that its name meant. What was
 * pulled once is not asked for again, whatever its tag means later.
 */
export async function pullMissingImages(site: Site, options: LifecycleOptions): Promise<void> {
	const { engine: wish } = site.bootstrap.spec;
	const engine = await connectSiteEngine(wish, sitePaths(site.name, options.roots), options.signal);
	await withSession(site.name, "up", options, async ({ paths, run }) => {
		const { images: pins = {} } = await readPins(paths.pins);
		const missing = await missingImages(site, engine, pins, run.signal);
		const context = { site, engine, file: paths.pins };
		await runParallel(
			missing.map((image) => [pullStep(image)]),
			context,
			run,
			"finish",
		);
		await runSteps([pinStep(missing)], context, run);
	});
}

function pullStep({ reference }: MissingImage): Step<PullContext> {
	return {
		id: `images:pull:${reference}`,
		title: `pull ${reference}`,
		done: async ({ engine }, { signal }) => (await engine.inspectImage(reference, signal)) !== undefined,
		do: (context, tools) => pull(context, reference, tools),
	};
}

async function pull({ engine, site }: PullContext, reference: string, tools: StepTools): Promise<void> {
	let progress = "";
	const stop = new AbortController();
	const pulling = engine.pullImage(reference, {
		login: registryLogin(site, reference),
		signal: AbortSignal.any([tools.signal, stop.signal]),
		onProgress: (text) => {
			progress = text;
		},
	});
	pulling.catch(() => undefined); // told by whoever looks
	try {
		await tools.waitFor(
			{
				what: `${reference} to be pulled`,
				why: () => progress,
				deadlineMs: site.bootstrap.spec.deadlines.pull,
				everyMs: 100,
				fix: "check the way to the registry, then run `ironstrap up` again: layers that are there are not pulled again",
			},
			(signal) => Promise.race([pulling.then(() => true), pause(400, undefined, { signal })]),
		);
	} finally {
		stop.abort();
	}
}

function pinStep(missing: readonly MissingImage[]): Step<PullContext> {
	const wanted = async ({ engine }: PullContext, signal: AbortSignal): Promise<ImagePins> => {
		const pinned = missing.map(async ({ reference, written }) => [
			written,
			digestOf(reference, (await engine.inspectImage(reference, signal))?.digests ?? []),
		]);
		return Object.fromEntries(await Promise.all(pinned));
	};
	return {
		id: "images:pin",
		title: "pin the images that were pulled to their digests",
		async done(context, { signal }) {
			const { images = {} } = await readPins(context.file);
			return isDeepStrictEqual(images, { ...images, ...(await wanted(context, signal)) });
		},
		async do(context, { signal }) {
			const { images } = await readPins(context.file);
			await storePins(context.file, { images: { ...images, ...(await wanted(context, signal)) } });
		},
	};
}

/** By which the engine knows the image for good; the name itself where it keeps no digest. */
function digestOf(reference: string, digests: readonly string[]): string {
	if (reference.includes("@")) return reference;
	const name = reference.replace(/:[^/:]*$/, "");
	return digests.find((digest) => digest.startsWith(`${name}@`)) ?? reference;
}
