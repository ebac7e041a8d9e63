import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { imageStore } from "../../../lab/image-store.ts";
import { createNetwork, type LabNetwork } from "../../../lab/network.ts";
import { startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { ironstrap, type Outcome, type ProductOptions } from "../../../lab/story/product.ts";

/*
 * A bootstrap machine with three neighbours, each a network namespace: `neighbour` on the provisioning network, `bmcs`
 * with two addresses on the BMC network, `office` on a network that has nothing to do with any of it. All of them know
 * the way to the machine's other networks, as a malicious one would.
 */

const scanner = fileURLToPath(new URL("scan.js", import.meta.url));
const preload = fileURLToPath(new URL("die-at.js", import.meta.url));
const siteFile = "/run/ironstrap-lab/site.yaml";

export const knownMac = "52:54:00:ab:00:01";
export const unknownMac = "52:54:00:ff:ff:ff";

const networks = {
	neighbour: { link: "eth0", gateway: "172.22.0.1" },
	bmcs: { link: "bmc0-end", gateway: "192.168.222.1" },
	office: { link: "eth0", gateway: "10.50.0.1" },
};

export interface Town {
	readonly sandbox: Sandbox;
	readonly network: LabNetwork;
	/** Runs a script of sh on the machine itself. */
	shell(script: string): Promise<string>;
	/** Runs a script of sh as a neighbour; empty output if it fails. */
	as(who: string, script: string): Promise<string>;
	/** Which targets accept TCP connections from a neighbour, a process's namespace (a number) or the machine itself. */
	scan(who: string | number | undefined, targets: readonly string[]): Promise<readonly string[]>;
	/** `ironstrap ARGS --json`. */
	run(...args: string[]): Promise<Outcome>;
	/** The same, killed at a moment of its journal: `STEP PHASE before|after`. */
	kill(moment: string, ...args: string[]): Promise<Outcome>;
	/** `ironstrap up --no-hosts` of the site. */
	up(site: SiteOptions, options?: ProductOptions): Promise<Outcome>;
}

export interface SiteOptions {
	/** `Bootstrap.spec.fence`, as YAML. */
	readonly fence: string;
	/** MAC addresses of further hosts. */
	readonly more?: readonly string[];
}

export async function buildTown(): Promise<Town> {
	const store = await imageStore();
	const sandbox = await startSandbox({ name: "fence-test" });
	const network = await createNetwork(sandbox, { taps: [], neighbour: true });
	const shell = async (script: string) => (await sandbox.run("sh", ["-ec", script])).stdout;
	await shell(`
mkdir -p /run/ironstrap-lab/ipa
# a hardened machine that does not route
sysctl -qw net.ipv4.ip_forward=0 net.ipv4.conf.all.accept_redirects=0
ip netns add bmcs
ip link set bmc0-end netns bmcs
ip -n bmcs addr add 192.168.222.2/24 dev bmc0-end
ip -n bmcs addr add 192.168.222.3/24 dev bmc0-end
ip -n bmcs link set bmc0-end up
ip -n bmcs link set lo up
ip -n bmcs route add default via 192.168.222.1
ip netns add office
ip link add office0 type veth peer name eth0 netns office
ip addr add 10.50.0.1/24 dev office0
ip link set office0 up
ip -n office addr add 10.50.0.2/24 dev eth0
ip -n office link set eth0 up
ip -n office link set lo up
ip -n office route add default via 10.50.0.1
ip -n neighbour route add default via 172.22.0.1
# what the office sees of DHCP
ip netns exec office nft -f - <<EOF
table inet watch {
	counter dhcp { }
	chain seen {
		type filter hook prerouting priority -400
		udp dport { 67, 68, 546, 547 } counter name dhcp
	}
}
EOF`);
	await startPodman(sandbox, { imageStores: [store] });
	for (const file of ["kernel", "initramfs"])
		writeFileSync(sandbox.path(`/run/ironstrap-lab/ipa/${file}`), file);
	// services that containers could reach if nothing kept them
	const listen = (port: number) => [process.execPath, "-e", `require("net").createServer().listen(${port})`];
	sandbox.spawn("ip", ["netns", "exec", "bmcs", ...listen(8000)]);
	sandbox.spawn("ip", ["netns", "exec", "office", ...listen(8080)]);
	sandbox.spawn("env", listen(2222));
	return {
		sandbox,
		network,
		shell,
		as: async (who, script) =>
			(await sandbox.run("ip", ["netns", "exec", who, "sh", "-c", script], { reject: false })).stdout,
		async scan(who, targets) {
			const scan = [process.execPath, scanner, ...targets];
			const [command = "", ...args] =
				who === undefined
					? scan
					: typeof who === "number"
						? ["nsenter", `--net=/proc/${who}/ns/net`, ...scan]
						: ["ip", "netns", "exec", who, ...scan];
			return JSON.parse((await sandbox.run(command, args)).stdout) as string[];
		},
		run: (...args) => ironstrap(sandbox, args),
		kill: (moment, ...args) => ironstrap(sandbox, args, dieAt(moment)),
		up(site, options) {
			writeFileSync(sandbox.path(siteFile), manifests(site), { mode: 0o600 });
			return ironstrap(sandbox, ["up", "--no-hosts", "-f", siteFile], options);
		},
	};
}

/** Ends the command there. */
export function dieAt(moment: string): ProductOptions {
	return { env: { DIE_AT: moment }, nodeFlags: [`--import=${preload}`] };
}

function manifests({ fence, more = [] }: SiteOptions): string {
	return `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: { name: metal3, namespace: metal3 }
spec:
  networking:
    ipAddress: 172.22.0.1
    dhcp: { networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.100, rangeEnd: 172.22.0.150 }
---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata: { name: metal3, namespace: metal3 }
spec:
  deployRamdisk: { kernel: /run/ironstrap-lab/ipa/kernel, initramfs: /run/ironstrap-lab/ipa/initramfs }
  fence: ${fence}
---
apiVersion: v1
kind: Secret
metadata: { name: bmc, namespace: metal3 }
stringData: { username: admin, password: password }
${[knownMac, ...more].map((mac, index) => host(`cp-${index}`, mac, index)).join("")}`;
}

function host(name: string, mac: string, index: number): string {
	return `---
apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: { name: ${name}, namespace: metal3 }
spec:
  online: true
  bootMACAddress: "${mac}"
  bmc:
    address: redfish-virtualmedia+http://192.168.222.2:8000/redfish/v1/Systems/${index}
    credentialsName: bmc
`;
}

/** Addresses, routes and kernel settings of the machine, line by line, for {@link difference}. */
export async function networkOf({ shell }: Town): Promise<readonly string[]> {
	const text = await shell(`ip -j addr | tr '{' '\\n' | sed 's/"tentative":true,//'
ip -j route; ip -6 -j route; ip -j rule
sysctl -a 2>/dev/null | grep -E '^net\\.(ipv4|ipv6|bridge)\\.'`);
	return text.split("\n");
}

/** What a client with this MAC address is given by DHCP on somebody's network; empty without an answer. */
export async function askForAddress(
	{ as }: Town,
	mac: string,
	who: "neighbour" | "bmcs" | "office" = "neighbour",
): Promise<string> {
	const { gateway, link } = networks[who];
	return as(
		who,
		`own=$(cat /sys/class/net/${link}/address)
ip link set dev ${link} address ${mac}
printf '#!/bin/sh\\nenv | grep -E "^(ip|bootfile)=" || true\\n' >/run/dhcp.sh
chmod +x /run/dhcp.sh
busybox udhcpc -f -q -n -t 2 -T 1 -i ${link} -s /run/dhcp.sh -x 0x5d:0007 -O bootfile 2>/dev/null
ip link set dev ${link} address $own
ip route replace default via ${gateway}`,
	);
}

/** How many DHCP packets the office has seen. */
export async function dhcpInOffice({ as }: Town): Promise<number> {
	return Number(/packets (\d+)/.exec(await as("office", "nft list counter inet watch dhcp"))?.[1]);
}

/** How many bytes of a boot file come over TFTP to the neighbour with this MAC address. */
export async function fetchBootFile({ as }: Town, mac: string): Promise<number> {
	const size = await as(
		"neighbour",
		`ip link set dev eth0 address ${mac}
rm -f /run/boot.file
timeout 3 busybox tftp -g -l /run/boot.file -r undionly.kpxe 172.22.0.1 2>/dev/null
stat -c %s /run/boot.file`,
	);
	return Number(size || 0);
}
