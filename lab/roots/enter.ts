import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheRoot } from "../cache.ts";
import { PRIVATE_DIRECTORIES } from "../sandbox/mounts.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../sandbox.ts";
import { rootTree } from "./build.ts";
import type { RootName } from "./definition.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** A file system of its own, because an engine's overlay cannot lie on the sandbox's. */
const engineDirectories = [...PRIVATE_DIRECTORIES, "/var/lib/docker", "/var/lib/containerd"];

/**
 * A sandbox that is a machine of another Debian release: its programs, its engines, its nftables. This checkout, Node.js
 * and the lab's cache are at the same paths in it. Changes to its files are in memory and end with it.
 */
export async function startInRoot(name: RootName, options: SandboxOptions = {}): Promise<Sandbox> {
	const tree = await rootTree(name, { signal: options.signal });
	const sandbox = await startSandbox({ name, ...options });
	try {
		const modules = await realpath(`${repository}node_modules`);
		const kept = [repository, dirname(modules), cacheRoot(), "/tmp", "/var/tmp", process.execPath];
		await sandbox.run("sh", ["-e", "-s", "--", tree, ...kept], { input: enterScript });
		return sandbox;
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

/**
 * Arguments: the tree, then what stays visible. The sandbox's first process and with it every later command get the
 * new root: pivot_root(2) moves all processes of the namespace that had the old one.
 */
const enterScript = `
tree=$1
shift
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay -o "lowerdir=$tree,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root
cd /mnt/root
for directory in proc sys dev run; do mount --rbind "/$directory" "$directory"; done
for path; do
	if [ -d "$path" ]; then mkdir -p ".$path"; else mkdir -p ".\${path%/*}"; touch ".$path"; fi
	mount --bind "$path" ".$path"
done
for directory in ${engineDirectories.join(" ")}; do
	mkdir -p ".$directory"
	mount -t tmpfs -o mode=755 tmpfs ".$directory"
done
cp /etc/hosts etc/hosts
hostname >etc/hostname
pivot_root . mnt
cd /
umount -l /mnt
`;
