import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { IronstrapError } from "../lib/errors.ts";
import type { EngineImage } from "./engine.ts";
import { asking, isMissing } from "./failures.ts";

export async function inspectImage(
	docker: Docker,
	reference: string,
	signal: AbortSignal,
): Promise<EngineImage | undefined> {
	return asking(`look at the image ${reference}`, signal, async () => {
		try {
			const { Id, RepoTags, Config, Size } = await docker
				.getImage(reference)
				.inspect({ abortSignal: signal } as object);
			return { id: imageId(Id), tags: RepoTags ?? [], labels: { ...Config?.Labels }, sizeBytes: Size };
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	});
}

export async function listImages(docker: Docker, signal: AbortSignal): Promise<readonly EngineImage[]> {
	return asking("list its images", signal, async () => {
		const images = await docker.listImages({ abortSignal: signal });
		return images.map(({ Id, RepoTags, Labels, Size }) => ({
			id: imageId(Id),
			tags: (RepoTags ?? []).filter((tag) => tag !== "<none>:<none>"),
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
