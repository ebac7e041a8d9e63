import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { candidateVersions } from "../lib/debian/candidates.ts";
import { findSources } from "../lib/debian/package-sources.ts";
import { IronstrapError } from "../lib/errors.ts";
import { lockFile } from "../lib/file-lock.ts";
import { type ArchiveRecord, archiveStem, readIntactArchive, sha256OfFile } from "./archive-record.ts";
import { type BuildPlan, writeImageArchive } from "./build-archive.ts";
import type { ImageDefinition } from "./definition.ts";
import { imageKey } from "./image-key.ts";
import { upstreamVersion } from "./mmdebstrap.ts";
import { requireBuildMachine } from "./preflight.ts";

export interface BuildOptions {
	/** Folder that keeps the finished archives; created if missing. */
	readonly outDir: string;
	/** URL of a Debian mirror, used instead of apt's configuration. */
	readonly mirror?: string | undefined;
	/** Another release than the definition's; its image is not called `latest`. */
	readonly suite?: string | undefined;
	/** Build even if an archive with the same key exists. */
	readonly noCache?: boolean | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Told in a few words what is going on, for a person who waits. */
	readonly onProgress?: ((text: string) => void) | undefined;
}

export interface BuiltImage extends ArchiveRecord {
	/** Path of the archive, which `load` of Podman and Docker takes. */
	readonly archive: string;
	/** True if it had been built before. */
	readonly cached: boolean;
}

/**
 * Makes sure that an archive of the image exists which holds the newest packages that the mirror has, and returns it.
 * It is built aside and renamed, so a killed build leaves nothing that looks finished; what it leaves is removed by
 * the next build of the same image.
 *
 * @throws IronstrapError `root-required`, `tool-missing`, `image-architecture`, `disk-full`, `mirror-unknown`,
 * `mirror-unreachable`, `package-missing`, `packages-build-failed`
 */
export async function buildImage(given: ImageDefinition, options: BuildOptions): Promise<BuiltImage> {
	const { outDir, onProgress = () => undefined } = options;
	const definition = { ...given, suite: options.suite ?? given.suite };
	const deadline = AbortSignal.timeout(deadlineMs);
	const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]);
	await mkdir(outDir, { recursive: true, mode: 0o755 });
	await requireBuildMachine(definition, outDir);
	const lock = await lockFile(join(outDir, `.${definition.name}.lock`), signal, () =>
		onProgress(`waiting for another build of ${definition.name} to end`),
	);
	try {
		const plan = await planBuild(definition, options, signal);
		const stem = archiveStem(plan);
		const known = options.noCache === true ? undefined : await readIntactArchive(outDir, stem);
		const isLatest = definition.suite === given.suite;
		const tags = tagsOf(plan, isLatest);
		const record = known ?? (await build(plan, tags, outDir, onProgress, signal));
		return { ...record, archive: join(outDir, `${stem}.tar`), cached: known !== undefined };
	} catch (error) {
		if (deadline.aborted) throw tooSlow(definition.name, error);
		throw error;
	} finally {
		await lock.close();
	}
}

/** A build on a slow line takes minutes; after this it hangs. */
const deadlineMs = 60 * 60_000;

async function planBuild(
	definition: ImageDefinition,
	options: BuildOptions,
	signal: AbortSignal,
): Promise<BuildPlan> {
	options.onProgress?.(`looking for the newest packages of ${definition.name}`);
	const sources = await findSources({ suite: definition.suite, mirror: options.mirror, signal });
	const all = await candidateVersions(
		`the image ${definition.name}`,
		definition,
		sources,
		options.outDir,
		signal,
	);
	const epoch = sources[0]?.date ?? 0;
	const packages = Object.fromEntries(definition.packages.map((name) => [name, all.get(name) ?? ""]));
	return {
		name: definition.name,
		version: upstreamVersion(packages[definition.versionOf] ?? ""),
		key: imageKey({ definition, packages: all, epoch }),
		...{ definition, sources, packages, epoch },
	};
}

/** An older release is asked for beside the current one, e.g. for the database server that a site had. */
function tagsOf({ name, version }: BuildPlan, isLatest: boolean): readonly string[] {
	const repository = `localhost/ironstrap/${name}`;
	return [`${repository}:${version}`, ...(isLatest ? [`${repository}:latest`] : [])];
}

async function build(
	plan: BuildPlan,
	tags: readonly string[],
	outDir: string,
	onProgress: (text: string) => void,
	signal: AbortSignal,
): Promise<ArchiveRecord> {
	const folder = join(outDir, `.build-${plan.name}`);
	await removeTree(folder); // left by a build that was killed
	await mkdir(folder, { mode: 0o755 });
	try {
		const { name, version, key } = plan;
		const suite = plan.definition.suite;
		const draft = join(folder, "image.tar");
		const written = await writeImageArchive(plan, folder, draft, tags, onProgress, signal);
		const record = {
			format: 1,
			name,
			version,
			key,
			suite,
			tags,
			...written,
			sha256: await sha256OfFile(draft),
		} as const;
		const complete: ArchiveRecord = { ...record, packages: plan.packages };
		const stem = archiveStem(plan);
		// the record first: an archive without one is not an archive, a record without one is not used
		await writeFileAtomic(join(outDir, `${stem}.json`), `${JSON.stringify(complete, null, "\t")}\n`, {
			mode: 0o644,
		});
		await rename(draft, join(outDir, `${stem}.tar`));
		return complete;
	} finally {
		await removeTree(folder);
	}
}

/** The namespace's last process may still be on its way out after a kill: directories that refill are tried again. */
const removeTree = (folder: string): Promise<void> =>
	rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

function tooSlow(name: string, cause: unknown): IronstrapError {
	return new IronstrapError({
		code: "packages-build-failed",
		message: `building the image ${name} has not ended after ${deadlineMs / 60_000} minutes`,
		subject: `image ${name}`,
		fix: "check the connection to the mirror, or give a nearer one with --mirror URL",
		cause,
	});
}
