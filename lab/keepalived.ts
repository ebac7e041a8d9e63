import type { CacheOptions } from "./cache.ts";
import { commandsIn } from "./network.ts";
import { packageTree } from "./roots/build.ts";
import type { SandboxProcess } from "./sandbox/command.ts";
import { LAB_RUN_DIRECTORY } from "./sandbox/mounts.ts";
import type { Sandbox } from "./sandbox.ts";
import { until } from "./until.ts";

export interface KeepalivedOptions {
	/** The network namespace it lives in, and its interface there. */
	readonly namespace: string;
	readonly interface: string;
	/** `virtual_router_id`. metal3's image has 1, which cannot be changed there. */
	readonly routerId: number;
	/** With prefix, all of one family. */
	readonly addresses: readonly string[];
	/** `vrrp_version`. Default 2, as keepalived's own. */
	readonly version?: 2 | 3;
}

/** A file system with Debian's keepalived; its folder. */
export function keepalivedTree(options: CacheOptions = {}): Promise<string> {
	return packageTree("keepalived", { suite: "trixie", packages: ["keepalived"] }, options);
}

/** Debian's keepalived as a second machine's, sharing addresses as metal3's image does. Waits until it answers for them. */
export async function startKeepalived(sandbox: Sandbox, options: KeepalivedOptions): Promise<SandboxProcess> {
	const { addresses, namespace } = options;
	const tree = await keepalivedTree();
	const config = `${LAB_RUN_DIRECTORY}/keepalived-${options.routerId}.conf`;
	await sandbox.run("sh", ["-ec", 'cat >"$1"', "sh", config], { input: configText(options) });
	const server = sandbox.spawn(
		"ip",
		["netns", "exec", namespace, "unshare", "--mount", "sh", "-ec", startScript, "sh", tree, config],
		{ log: sandbox.path(`${LAB_RUN_DIRECTORY}/keepalived.log`) },
	);
	const run = commandsIn(sandbox, namespace);
	await until(
		async () => {
			const { stdout } = await run("ip", ["address", "show", "dev", options.interface]);
			return addresses.every((address) => stdout.includes(` ${address} `));
		},
		{ what: "keepalived to become master", deadlineMs: 30_000 },
	);
	return server;
}

function configText({ addresses, interface: link, routerId, version = 2 }: KeepalivedOptions): string {
	return `global_defs {
	vrrp_version ${version}
}
vrrp_instance VI_1 {
	state MASTER
	interface ${link}
	virtual_router_id ${routerId}
	priority 101
	advert_int 1
	virtual_ipaddress {
${addresses.map((address) => `\t\t${address}\n`).join("")}	}
}
`;
}

/** Arguments: the tree, the configuration. Changes to the tree are in memory and end with it. */
const startScript = `
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay -o "lowerdir=$1,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root
mount --rbind /dev /mnt/root/dev
mount --bind /proc /mnt/root/proc
mkdir -p /mnt/root/run
cp "$2" /mnt/root/run/keepalived.conf
exec chroot /mnt/root keepalived --dont-fork --log-console --use-file /run/keepalived.conf
`;
