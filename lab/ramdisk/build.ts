import { join } from "node:path";
import { type CacheOptions, cached, cacheRoot } from "../cache.ts";
import { resolveTree, runInTree } from "../debian-tree.ts";
import { labFile, labText } from "../files.ts";

/** Kernel and initramfs that Ironic boots to inspect, clean and deploy a server. */
export interface Ramdisk {
	readonly kernel: string;
	readonly initramfs: string;
	readonly hit: boolean;
}

/** What the agent imports and calls: its package's own list is several times as long. */
const packages = [
	...[
		"python3",
		"python3-oslo.config",
		"python3-oslo.log",
		"python3-oslo.concurrency",
		"python3-oslo.service",
	],
	...["python3-oslo.utils", "python3-eventlet", "python3-pyudev", "python3-psutil", "python3-requests"],
	...["python3-stevedore", "python3-tenacity", "python3-werkzeug", "python3-zeroconf", "python3-yaml"],
	...[
		"python3-cryptography",
		"python3-pint",
		"python3-pbr",
		"udev",
		"kmod",
		"iproute2",
		"fdisk",
		"parted",
		"gdisk",
	],
	// without hwclock the power-off by the agent fails, without fuser deploying does
	...["util-linux-extra", "psmisc", "dmidecode", "lshw", "hdparm", "efibootmgr", "qemu-utils", "dosfstools"],
	...[
		"e2fsprogs",
		"genisoimage",
		"ethtool",
		"pciutils",
		"mdadm",
		"ipmitool",
		"smartmontools",
		"ca-certificates",
	],
	...["busybox-static", "xz-utils", "cpio", "zstd"],
];

const files = ["init", "dhcp-event", "find-medium", "network_data.py", "modules", "unpack.sh", "pack.sh"];

/** The ramdisk for the newest packages of the mirror, built if it is not in the cache. */
export async function ramdisk(options: CacheOptions = {}): Promise<Ramdisk> {
	const root = options.root ?? cacheRoot();
	const signal = options.signal ?? new AbortController().signal;
	const extra = ["ironic-python-agent", "linux-image-cloud-amd64"];
	const tree = await resolveTree("the deploy ramdisk", { suite: "trixie", packages }, extra, root, signal);
	const entry = await cached(
		{
			name: "ramdisk",
			inputs: [tree.versions, packages.join(), ...files.map((file) => labText(`ramdisk/${file}`))],
			build: (folder) => {
				const source = labFile("ramdisk");
				const unpack = `sh ${source}/unpack.sh "$1" ${folder} ${source}`;
				return runInTree(
					"the deploy ramdisk",
					tree,
					[unpack, `sh ${source}/pack.sh "$1" ${folder}`],
					folder,
					signal,
				);
			},
		},
		options,
	);
	return { kernel: join(entry.folder, "kernel"), initramfs: join(entry.folder, "initramfs"), hit: entry.hit };
}
