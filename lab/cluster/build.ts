import { join } from "node:path";
import { type CacheOptions, cached, cacheRoot } from "../cache.ts";
import { resolveTree, runInTree } from "../debian-tree.ts";
import { labFile, labText } from "../files.ts";

/** Paths of a Kubernetes API server's programs. */
export interface ClusterPrograms {
	readonly apiserver: string;
	readonly etcd: string;
	readonly kubectl: string;
	readonly hit: boolean;
}

/** The compiler, and what the source package needs instead of its own copy. */
const packages = ["golang-1.19-go", "golang-github-modern-go-reflect2-dev", "dpkg-dev"];

/** Kubernetes 1.20.2 compiled from bookworm's source package, and etcd; built if they are not in the cache. */
export async function clusterPrograms(options: CacheOptions = {}): Promise<ClusterPrograms> {
	const root = options.root ?? cacheRoot();
	const signal = options.signal ?? new AbortController().signal;
	const title = "the Kubernetes API server";
	// kubernetes-client is made of the same source package: its version stands for the source's
	const extra = ["kubernetes-client", "etcd-server"];
	const tree = await resolveTree(title, { suite: "bookworm", packages }, extra, root, signal);
	const entry = await cached(
		{
			name: "cluster",
			inputs: [tree.versions, packages.join(), labText("cluster/build-apiserver.sh")],
			build: (folder) =>
				runInTree(
					title,
					tree,
					[`sh ${labFile("cluster")}/build-apiserver.sh "$1" ${folder}`],
					folder,
					signal,
				),
		},
		options,
	);
	const program = (name: string) => join(entry.folder, name);
	return {
		apiserver: program("kube-apiserver"),
		etcd: program("etcd"),
		kubectl: program("kubectl"),
		hit: entry.hit,
	};
}
