import type { DebianTree } from "../../src/lib/debian/bootstrap-arguments.ts";
import { type CacheOptions, cacheRoot } from "../cache.ts";
import { resolveTree, runInTree } from "../debian-tree.ts";
import { cachedTree } from "../tree-cache.ts";
import { type RootName, roots } from "./definition.ts";

/** Links, because the original is removed right afterwards; without what mmdebstrap would clean only later. */
const keepTree = (folder: string) => `set -e
rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/etc/resolv.conf "$1"/etc/hostname
cp --archive --link --one-file-system "$1"/. ${folder}`;

/** The root file system of a release with its engines, for the newest packages of the mirror; its folder. */
export function rootTree(name: RootName, options: CacheOptions = {}): Promise<string> {
	return packageTree(`root-${name}`, { suite: name, packages: roots[name].packages }, options);
}

/** A file system of these packages, the mirror's newest; its folder, which nobody may change. */
export async function packageTree(
	name: string,
	wanted: DebianTree,
	options: CacheOptions = {},
): Promise<string> {
	const root = options.root ?? cacheRoot();
	const signal = options.signal ?? new AbortController().signal;
	const title = `the lab's ${name}`;
	const tree = await resolveTree(title, wanted, [], root, signal);
	const { folder } = await cachedTree(
		{
			name,
			inputs: [tree.versions, keepTree("")],
			build: (empty) => runInTree(title, tree, [keepTree(empty)], empty, signal),
		},
		options,
	);
	return folder;
}
