import { type CacheOptions, cacheRoot } from "../cache.ts";
import { resolveTree, runInTree } from "../debian-tree.ts";
import { cachedTree } from "../tree-cache.ts";
import { type RootName, roots } from "./definition.ts";

/** Links, because the original is removed right afterwards; without what mmdebstrap would clean only later. */
const keepTree = (folder: string) => `set -e
rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/etc/resolv.conf "$1"/etc/hostname
cp --archive --link --one-file-system "$1"/. ${folder}`;

/** The root file system of a release with its engines, for the newest packages of the mirror; its folder. */
export async function rootTree(name: RootName, options: CacheOptions = {}): Promise<string> {
	const root = options.root ?? cacheRoot();
	const signal = options.signal ?? new AbortController().signal;
	const title = `the lab root ${name}`;
	const tree = await resolveTree(title, { suite: name, packages: roots[name].packages }, [], root, signal);
	const { folder } = await cachedTree(
		{
			name: `root-${name}`,
			inputs: [tree.versions, keepTree("")],
			build: (empty) => runInTree(title, tree, [keepTree(empty)], empty, signal),
		},
		options,
	);
	return folder;
}
