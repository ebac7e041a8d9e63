import { readFileSync } from "node:fs";
import { artefacts } from "../artefacts.ts";
import type { CacheOptions } from "../cache.ts";

/** What a story needs that takes long to build. Absolute paths. */
export interface StoryArtefacts {
	readonly ramdisk: { readonly kernel: string; readonly initramfs: string };
	readonly os: { readonly image: string; readonly sha256: string };
	/** Read-only image stores for Podman that hold the stack's images. */
	readonly imageStores: readonly string[];
}

/** From the cache, or built now. */
export async function storyArtefacts(options: CacheOptions = {}): Promise<StoryArtefacts> {
	const { "image-store": store, os, ramdisk } = await artefacts(["image-store", "ramdisk", "os"], options);
	return {
		ramdisk: { kernel: ramdisk.kernel, initramfs: ramdisk.initramfs },
		os: { image: os.image, sha256: readFileSync(os.sha256File, "utf8").split(" ")[0] ?? "" },
		imageStores: [store.folder],
	};
}
