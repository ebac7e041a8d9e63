import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { tarEnd, tarHeader, tarPadding } from "../lib/tar-header.ts";

/** What an image says about itself besides its files. */
export interface ImageConfig {
	/** Debian's name, e.g. `amd64`, which is also OCI's for the architectures that are built. */
	readonly architecture: string;
	/** RFC 3339; fixed by the inputs, because the image's ID covers it. */
	readonly created: string;
	readonly entrypoint: readonly string[];
	readonly labels: Readonly<Record<string, string>>;
	/** References that the engine gives the image when it is loaded. */
	readonly tags: readonly string[];
}

export interface WrittenArchive {
	/** `sha256:` and 64 hexadecimal digits: the ID in Podman and Docker. */
	readonly imageId: string;
	readonly bytes: number;
}

/**
 * Writes an image of one layer in the format of `docker save`, which `load` of Podman and Docker takes. The layer is
 * written as it arrives: its header, in front of it, is filled in afterwards, so a gigabyte is never copied.
 */
export async function writeDockerArchive(
	path: string,
	layer: AsyncIterable<Uint8Array>,
	config: ImageConfig,
): Promise<WrittenArchive> {
	const handle = await open(path, "wx", 0o644);
	try {
		const { size, digest } = await writeLayer(handle, layer);
		const configText = imageConfigText(config, digest);
		const imageId = sha256(configText);
		const manifest = [{ Config: `${imageId}.json`, RepoTags: config.tags, Layers: [layerName] }];
		await handle.write(tarHeader(layerName, size), 0, undefined, 0);
		const tail = Buffer.concat([
			...member(`${imageId}.json`, configText),
			...member("manifest.json", JSON.stringify(manifest)),
			tarEnd(),
		]);
		const at = headerSize + size + tarPadding(size).length;
		await handle.write(Buffer.concat([tarPadding(size), tail]), 0, undefined, headerSize + size);
		await handle.sync();
		return { imageId: `sha256:${imageId}`, bytes: at + tail.length };
	} finally {
		await handle.close();
	}
}

/** The image configuration of the OCI image specification; its digest is the image's ID. */
export function imageConfigText(config: ImageConfig, layerDigest: string): string {
	return JSON.stringify({
		architecture: config.architecture,
		os: "linux",
		created: config.created,
		config: {
			Entrypoint: config.entrypoint,
			Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
			Labels: config.labels,
		},
		rootfs: { type: "layers", diff_ids: [`sha256:${layerDigest}`] },
		history: [{ created: config.created, created_by: "ironstrap images build" }],
	});
}

const layerName = "layer.tar";
const headerSize = 512;

async function writeLayer(handle: FileHandle, layer: AsyncIterable<Uint8Array>) {
	const hash: Hash = createHash("sha256");
	let size = 0;
	for await (const chunk of layer) {
		hash.update(chunk);
		await writeAll(handle, chunk, headerSize + size);
		size += chunk.length;
	}
	return { size, digest: hash.digest("hex") };
}

/** A single write may be short, e.g. when the disk is about to be full. */
async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
	for (let done = 0; done < chunk.length; )
		done += (await handle.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
}

function member(name: string, text: string): Buffer[] {
	const data = Buffer.from(text);
	return [tarHeader(name, data.length), data, tarPadding(data.length)];
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
