import { join } from "node:path";
import { type CacheOptions, cached, cacheRoot } from "../cache.ts";
import { resolveTree, runInTree } from "../debian-tree.ts";
import { labFile, labText } from "../files.ts";

/** A small bootable system that is deployed to test servers. */
export interface OsImage {
	/** qcow2, starts from UEFI and BIOS. */
	readonly image: string;
	/** File in the format of sha256sum. */
	readonly sha256File: string;
	readonly hit: boolean;
}

/** Tools that make the image, and what it consists of. */
const packages = [
	...[
		"busybox-static",
		"kmod",
		"xz-utils",
		"cpio",
		"zstd",
		"mawk",
		"python3-minimal",
		"gdisk",
		"dosfstools",
		"mtools",
	],
	...["qemu-utils", "grub-common", "grub-pc-bin", "grub-efi-amd64-signed", "shim-signed"],
];

const files = ["init", "dhcp-event", "power-button", "grub.cfg", "modules", "bios-boot.py", "make-image.sh"];

/** The image made of the newest packages of the mirror, built if it is not in the cache. */
export async function osImage(options: CacheOptions = {}): Promise<OsImage> {
	const root = options.root ?? cacheRoot();
	const signal = options.signal ?? new AbortController().signal;
	const title = "the test operating system";
	const tree = await resolveTree(
		title,
		{ suite: "trixie", packages },
		["linux-image-cloud-amd64"],
		root,
		signal,
	);
	const entry = await cached(
		{
			name: "os",
			inputs: [tree.versions, packages.join(), ...files.map((file) => labText(`os/${file}`))],
			build: (folder) => {
				const source = labFile("os");
				return runInTree(
					title,
					tree,
					[`sh ${source}/make-image.sh "$1" ${folder} ${source}`],
					folder,
					signal,
				);
			},
		},
		options,
	);
	return {
		image: join(entry.folder, "os.qcow2"),
		sha256File: join(entry.folder, "os.qcow2.sha256"),
		hit: entry.hit,
	};
}
