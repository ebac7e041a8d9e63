import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { buildArguments } from "../lib/debian/bootstrap-arguments.ts";
import { diskFull, mmdebstrapFailed } from "../lib/debian/failures.ts";
import type { PackageSource } from "../lib/debian/package-sources.ts";
import { runGuarded } from "../lib/guarded-command.ts";
import type { ImageDefinition } from "./definition.ts";
import { type WrittenArchive, writeDockerArchive } from "./docker-archive.ts";
import { imageOptions } from "./mmdebstrap.ts";

/** Everything that determines an image. */
export interface BuildPlan {
	readonly name: string;
	readonly version: string;
	readonly key: string;
	readonly definition: ImageDefinition;
	readonly sources: readonly PackageSource[];
	/** The packages that were asked for, with their exact versions. */
	readonly packages: Readonly<Record<string, string>>;
	readonly epoch: number;
}

/**
 * Runs mmdebstrap and wraps the tree that it writes into an archive at `draft`.
 *
 * @param folder an empty folder that the build may fill
 */
export async function writeImageArchive(
	plan: BuildPlan,
	folder: string,
	draft: string,
	tags: readonly string[],
	onProgress: (text: string) => void,
	signal: AbortSignal,
): Promise<WrittenArchive> {
	const { definition, epoch } = plan;
	for (const { name, text } of [definition.usersScript, ...definition.scripts])
		await writeFile(join(folder, name), text, { mode: 0o755 });
	const stop = new AbortController();
	const child = runGuarded(
		["mmdebstrap", ...buildArguments(definition, plan.sources, imageOptions(definition, folder))],
		{ TMPDIR: folder, SOURCE_DATE_EPOCH: String(epoch), LC_ALL: "C.UTF-8" },
		AbortSignal.any([signal, stop.signal]),
	);
	const messages = followMessages(child.stderr, (text) => onProgress(`${plan.name}: ${text}`));
	try {
		const written = await writeDockerArchive(draft, child.stdout, {
			architecture: definition.architectures[0] ?? "amd64",
			created: new Date(epoch * 1000).toISOString(),
			entrypoint: ["/usr/bin/tini", "--"],
			labels: {
				"org.opencontainers.image.title": definition.title,
				"org.opencontainers.image.version": plan.version,
				"io.ironstrap.packages": JSON.stringify(plan.packages),
				"io.ironstrap.key": plan.key,
			},
			tags,
		});
		const succeeded = await child.succeeded;
		signal.throwIfAborted();
		if (!succeeded)
			throw mmdebstrapFailed(`the image ${plan.name}`, definition.suite, await messages, folder);
		return written;
	} catch (error) {
		stop.abort();
		await child.succeeded;
		if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw diskFull(folder, String(error));
		throw error;
	}
}

/** Reports mmdebstrap's stages, and keeps what it wrote last for an error message. */
async function followMessages(stream: Readable, onStage: (text: string) => void): Promise<string> {
	const kept: string[] = [];
	for await (const line of createInterface({ input: stream })) {
		kept.push(line);
		if (kept.length > 400) kept.shift();
		const stage = /^I: ((?:running apt|downloading|extracting|installing|creating)[^:]*?)(?:\.\.\.)?$/.exec(
			line,
		)?.[1];
		if (stage !== undefined) onStage(stage);
	}
	return kept.join("\n");
}
