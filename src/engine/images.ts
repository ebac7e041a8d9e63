import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { IronstrapError } from "../lib/errors.ts";
import type { EngineImage, PullOptions } from "./engine.ts";
import { asking, engineMessage, isMissing } from "./failures.ts";

export async function inspectImage(
	docker: Docker,
	reference: string,
	signal: AbortSignal,
): Promise<EngineImage | undefined> {
	return asking(`look at the image ${reference}`, signal, async () => {
		try {
			const { Id, RepoDigests, RepoTags, Config, Size } = await docker
				.getImage(reference)
				.inspect({ abortSignal: signal } as object);
			return {
				id: imageId(Id),
				tags: RepoTags ?? [],
				digests: RepoDigests ?? [],
				labels: { ...Config?.Labels },
				sizeBytes: Size,
			};
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	});
}

export async function listImages(docker: Docker, signal: AbortSignal): Promise<readonly EngineImage[]> {
	return asking("list its images", signal, async () => {
		const images = await docker.listImages({ abortSignal: signal });
		return images.map(({ Id, RepoDigests, RepoTags, Labels, Size }) => ({
			id: imageId(Id),
			tags: (RepoTags ?? []).filter((tag) => tag !== "<none>:<none>"),
			digests: (RepoDigests ?? []).filter((digest) => !digest.startsWith("<none>")),
			labels: { ...Labels },
			sizeBytes: Size,
		}));
	});
}

export async function imagesInUse(docker: Docker, signal: AbortSignal): Promise<ReadonlySet<string>> {
	return asking("list its containers", signal, async () => {
		const containers = await docker.listContainers({ all: true, abortSignal: signal });
		return new Set(containers.map(({ ImageID }) => imageId(ImageID)));
	});
}

/** Not forced: what came into use meanwhile is refused by the engine. */
export async function removeImage(docker: Docker, reference: string, signal: AbortSignal): Promise<void> {
	await asking(`remove the image ${reference}`, signal, async () => {
		try {
			await docker.getImage(reference).remove({ force: false, abortSignal: signal } as object);
		} catch (error) {
			if (!isMissing(error)) throw error;
		}
	});
}

interface PullEvent {
	readonly status?: string;
	readonly id?: string;
	readonly error?: string;
	readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/** The engine pulls, with its own proxy and certificates; a failure may come in the middle of its report. */
export async function pullImage(
	docker: Docker,
	reference: string,
	{ login, onProgress, signal }: PullOptions,
): Promise<void> {
	signal.throwIfAborted();
	try {
		const options = { ...(login === undefined ? {} : { authconfig: login }), abortSignal: signal };
		const stream = await docker.pull(reference, options);
		const layers = new Map<string, PullEvent>();
		let refusal: string | undefined;
		await new Promise<void>((resolve, reject) => {
			const finished = (error: Error | null) => (error === null ? resolve() : reject(error));
			docker.modem.followProgress(stream, finished, (event: PullEvent) => {
				refusal ??= event.error;
				if (event.id !== undefined) layers.set(event.id, event);
				onProgress?.(progressOf(layers));
			});
		});
		if (refusal !== undefined) throw new Error(refusal);
	} catch (error) {
		signal.throwIfAborted();
		throw new IronstrapError({
			code: "image-pull-failed",
			message: `the container engine could not pull ${reference}`,
			seen: engineMessage(error),
			fix: "check the name and the way to the registry; Bootstrap.spec.registries names mirrors and pull secrets. Without a registry: `ironstrap images build`, or load an archive into the engine",
			cause: error,
		});
	}
}

/** `3 of 12 layers, 45 MiB of 210 MiB`, as far as the engine tells. */
function progressOf(layers: ReadonlyMap<string, PullEvent>): string {
	const all = [...layers.values()];
	const done = all.filter(({ status = "" }) => /complete|exists/i.test(status)).length;
	const sum = (key: "current" | "total") =>
		Math.round(all.reduce((bytes, { progressDetail }) => bytes + (progressDetail?.[key] ?? 0), 0) / 2 ** 20);
	return `${done} of ${all.length} layers${sum("total") > 0 ? `, ${sum("current")} MiB of ${sum("total")} MiB` : ""}`;
}

/** Both engines answer 200 and tell a failure in the body, as a line of JSON. */
export async function loadImages(docker: Docker, archive: Readable, signal: AbortSignal): Promise<void> {
	await asking("load an image archive", signal, async () => {
		const progress = await docker.loadImage(archive, { abortSignal: signal });
		let text = "";
		for await (const chunk of progress) text += String(chunk);
		const failure = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
		if (failure === undefined) return;
		throw new IronstrapError({
			code: "image-archive-refused",
			message: "the container engine could not load the image archive",
			seen: failure,
			fix: "check that the file is complete and was made by `ironstrap images build`, `podman save` or `docker save`",
		});
	});
}

/** Podman leaves the algorithm out in places. */
function imageId(id: string): string {
	return id.startsWith("sha256:") ? id : `sha256:${id}`;
}
