import type { CacheOptions } from "./cache.ts";
import { type FormerSuite, imageArchive } from "./images.ts";
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
	return storeOf("image-store", archives, options);
}

/** An image of an earlier release, and the reference by which a site names it. */
export interface FormerImage {
	readonly store: string;
	/** E.g. `localhost/ironstrap/mariadb:10.11.18`. */
	readonly reference: string;
}

/** The same with one image of an earlier Debian release, for what a site had before an upgrade. */
export async function formerImage(
	name: "ironic" | "mariadb",
	suite: FormerSuite,
	options: CacheOptions = {},
): Promise<FormerImage> {
	const { archive, tags } = await imageArchive(name, options, suite);
	const store = await storeOf(`${name}-store-${suite}`, [archive], options);
	return { store, reference: tags[0] ?? "" };
}

async function storeOf(name: string, archives: readonly string[], options: CacheOptions): Promise<string> {
	const { folder } = await cachedTree(
		{
			name,
			inputs: archives,
			async build(store, signal) {
				for (const archive of archives) await loadIntoStore(archive, store, signal);
			},
		},
		options,
	);
	return folder;
}
