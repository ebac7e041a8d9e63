import { imageReferences } from "../checks/images.ts";
import { connectEngine } from "../engine/connect.ts";
import type { Engine, EngineImage } from "../engine/engine.ts";
import { removeArchive, type StoredArchive, storedArchives } from "../images/stored-archives.ts";
import { findApplied } from "../state/applied.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { readServed } from "../state/served.ts";
import type { EventSink } from "../steps/events.ts";
import { readPins } from "./pins.ts";
import { knownSites } from "./session.ts";

/** What is there, and who needs it. */
export interface Stock {
	/** Every image of the engine. */
	readonly images: readonly EngineImage[];
	readonly archives: readonly StoredArchive[];
	/** Ids of images that a container of anybody was made from, running or not, or that an applied site takes. */
	readonly inUse: ReadonlySet<string>;
}

/** What nobody needs. */
export interface Unused {
	readonly images: readonly EngineImage[];
	readonly archives: readonly StoredArchive[];
}

export interface PruneOptions {
	readonly roots: StateRoots;
	/** Where finished archives are kept. */
	readonly archiveFolder: string;
	/** Only say what would go. */
	readonly dryRun: boolean;
	readonly emit: EventSink;
	readonly signal: AbortSignal;
}

const OURS = "localhost/ironstrap/";

/**
 * Built images that no container and no applied site uses, but for the latest of each; and the archives of older builds.
 * An image is ironstrap's by its label; one to which somebody has given another name is theirs. Pure.
 */
export function unusedOf({ images, archives, inUse }: Stock): Unused {
	const isNeeded = ({ id, tags, labels }: EngineImage) =>
		labels["io.ironstrap.key"] === undefined ||
		inUse.has(id) ||
		tags.some((tag) => !tag.startsWith(OURS) || tag.endsWith(":latest"));
	const kept = new Set(images.filter(isNeeded).map(({ id }) => id));
	const isNewest = ({ record, built }: StoredArchive) =>
		!archives.some((other) => other.record.name === record.name && other.built > built);
	return {
		images: images.filter(({ id }) => !kept.has(id)),
		archives: archives.filter((each) => !kept.has(each.record.imageId) && !isNewest(each)),
	};
}

/** Removes what is unused; can be repeated after a kill at any point. Errors: `engine-not-found`, `engine-refused`. */
export async function pruneImages(options: PruneOptions): Promise<Unused> {
	const { roots, archiveFolder, dryRun, emit, signal } = options;
	const engine = await connectEngine({ kind: "auto", environment: process.env }, signal);
	const unused = unusedOf({
		images: await engine.listImages(signal),
		archives: await storedArchives(archiveFolder),
		inUse: new Set([...(await engine.imagesInUse(signal)), ...(await takenBySites(engine, roots, signal))]),
	});
	if (dryRun) return unused;
	for (const image of unused.images) await removeNames(engine, image, signal);
	for (const archive of unused.archives)
		await removeArchive(archive, archiveFolder, {
			signal,
			onWait: () => emit({ type: "note", level: "info", message: "waiting for a build to end" }),
		});
	return unused;
}

/** With its last name an image goes itself; by its id an engine would not remove one that has several. */
async function removeNames(engine: Engine, { id, tags }: EngineImage, signal: AbortSignal): Promise<void> {
	for (const name of tags.length === 0 ? [id] : tags) await engine.removeImage(name, signal);
}

/** Ids of what applied sites name or are pinned to: a site that is down has no containers. */
async function takenBySites(
	engine: Engine,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const names = await knownSites(roots);
	const references = await Promise.all(
		names.map(async (name) => {
			const paths = sitePaths(name, roots);
			const site = await findApplied(paths, openSecretStore(paths.secretsDirectory));
			const { images = {} } = await readPins(paths.pins);
			const { ironic, mariadb } = await readServed(paths);
			return [
				...(site === undefined ? [] : imageReferences(site)),
				...Object.values(images),
				// an upgrade of the database begins with the old server
				...[ironic, mariadb].flatMap((each) => (each === undefined ? [] : [each.image])),
			];
		}),
	);
	const found = references.flat().map((reference) => engine.inspectImage(reference, signal));
	return (await Promise.all(found)).flatMap((image) => (image === undefined ? [] : [image.id]));
}
