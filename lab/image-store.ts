import type { CacheOptions } from "./cache.ts";
import { imageArchive } from "./images.ts";
import { loadIntoStore } from "./podman.ts";
import { cachedTree } from "./tree-cache.ts";

/**
 * A read-only image store with the stack's two images, so that a sandbox's Podman has a gigabyte of images at once
 * instead of after 12 s of loading.
 */
export async function imageStore(options: CacheOptions = {}): Promise<string> {
	const archives = [
		(await imageArchive("ironic", options)).archive,
		(await imageArchive("mariadb", options)).archive,
	];
	const { folder } = await cachedTree(
		{
			name: "image-store",
			inputs: archives,
			async build(store, signal) {
				for (const archive of archives) await loadIntoStore(archive, store, signal);
			},
		},
		options,
	);
	return folder;
}
