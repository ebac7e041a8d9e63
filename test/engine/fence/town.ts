import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { imageStore } from "../../../lab/image-store.ts";
import { createNetwork, type LabNetwork } from "../../../lab/network.ts";
import { startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { ironstrap, launcher, type Outcome, type ProductOptions } from "../../../lab/story/product.ts";

/*
 * A bootstrap machine with four neighbours, each a network namespace: `neighbour` on the provisioning network, `bmcs`
 * with two addresses on the BMC network, `office` on a network that has nothing to do with any of it, `outsider` where
 * the rest of the world is. All of them know the way to the machine's other networks, as a malicious one would.
 */

const scanner = fileURLToPath(new URL("scan.js", import.meta.url));
const preload = fileURLToPath(new URL("die-at.js", import.meta.url));
const siteFile = "/run/ironstrap-lab/site.yaml";

export const knownMac = "52:54:00:ab:00:01";
export const unknownMac = "52:54:00:ff:ff:ff";

/** Each neighbour, and the machine's addresses on its side. */
export const sides = {
	neighbour: { v4: "172.22.0.1", v6: "fd00:1abc::1" },
	bmcs: { v4: "192.168.222.1", v6: "fd00:222::1" },
	office: { v4: "10.50.0.1", v6: "fd00:50::1" },
	outsider: { v4: "203.0.113.1", v6: "2001:db8:113::1" },
} as const;

export type Neighbour = keyof typeof sides;

const networks = {
	neighbour: { link: "eth0", gateway: "172.22.0.1" },
	bmcs: { link: "bmc0-end", gateway: "192.168.222.1" },
	office: { link: "eth0", gateway: "10.50.0.1" },
};

export interface Town {
	readonly sandbox: Sandbox;
	readonly network: LabNetwork;
	/** Its program. */
	readonly engine: TownMachine["engine"];
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
	/** `ironstrap fence watch`, until the signal aborts. */
	watch(signal: AbortSignal): Promise<void>;
	/** `ironstrap up --no-hosts` of the site. */
	up(site: SiteOptions, options?: ProductOptions): Promise<Outcome>;
}

export interface SiteOptions {
	/** `Bootstrap.spec.fence`, as YAML. */
	readonly fence: string;
	/** `Bootstrap.spec.dhcp`, as YAML. */
	readonly dhcp?: string;
	/** MAC addresses of further hosts. */
	readonly more?: readonly string[];
}

/** A machine with an engine that has the stack's images, and the provisioning network's neighbour. */
export interface TownMachine {
	readonly sandbox: Sandbox;
	readonly network: LabNetwork;
	readonly engine: "podman" | "docker";
}

/** @param machine another machine than the one that the tests run on, e.g. one of another release */
export async function buildTown(machine: () => Promise<TownMachine> = machineOfOurs): Promise<Town> {
	const { engine, network, sandbox } = await machine();
	const shell = async (script: string) => (await sandbox.run("sh", ["-ec", script])).stdout;
	await shell(`
mkdir -p /run/ironstrap-lab/ipa
# a hardened machine, which does not route unless Docker has made it so
${engine === "podman" ? "echo 0 >/proc/sys/net/ipv4/ip_forward" : ""}
echo 0 >/proc/sys/net/ipv4/conf/all/accept_redirects
ip netns add bmcs
ip link set bmc0-end netns bmcs
for outside in office outsider; do
	ip netns add $outside
	ip link add $outside"0" type veth peer name eth0 netns $outside
done
settle() { # NAMESPACE LINK PEER IPV4-NETWORK IPV6-NETWORK: .1 is this machine, .2 the other
	ip addr replace $4.1/24 dev $2
	ip addr replace $5::1/64 dev $2 nodad
	ip link set $2 up
	ip -n $1 addr add $4.2/24 dev $3
	ip -n $1 addr add $5::2/64 dev $3 nodad
	ip -n $1 link set $3 up
	ip -n $1 link set lo up
	ip -n $1 route add default via $4.1
	ip -n $1 route add default via $5::1
}
settle bmcs bmc0 bmc0-end 192.168.222 fd00:222
ip -n bmcs addr add 192.168.222.3/24 dev bmc0-end
settle office office0 eth0 10.50.0 fd00:50
settle outsider outsider0 eth0 203.0.113 2001:db8:113
ip -n neighbour route add default via 172.22.0.1
ip -n neighbour route add default via fd00:1abc::1
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
	for (const file of ["kernel", "initramfs"])
		writeFileSync(sandbox.path(`/run/ironstrap-lab/ipa/${file}`), file);
	// services that containers, and neighbours of each other, could reach if nothing kept them
	const listen = (port: number) => [process.execPath, "-e", `require("net").createServer().listen(${port})`];
	sandbox.spawn("ip", ["netns", "exec", "bmcs", ...listen(8000)]);
	sandbox.spawn("ip", ["netns", "exec", "office", ...listen(8080)]);
	sandbox.spawn("ip", ["netns", "exec", "neighbour", ...listen(8081)]);
	sandbox.spawn("env", listen(2222));
	return {
		sandbox,
		network,
		engine,
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
		async watch(signal) {
			const child = sandbox.spawn(process.execPath, [launcher, "fence", "watch", "--json"]);
			child.stdout?.resume();
			signal.addEventListener("abort", () => child.kill());
			await child.result;
		},
		up(site, options) {
			writeFileSync(sandbox.path(siteFile), manifests(site), { mode: 0o600 });
			return ironstrap(sandbox, ["up", "--no-hosts", "-f", siteFile], options);
		},
	};
}

async function machineOfOurs(): Promise<TownMachine> {
	const store = await imageStore();
	const sandbox = await startSandbox({ name: "fence-test" });
	const network = await createNetwork(sandbox, { taps: [], neighbour: true });
	await startPodman(sandbox, { imageStores: [store] });
	return { sandbox, network, engine: "podman" };
}

/** Ends the command there. */
export function dieAt(moment: string): ProductOptions {
	return { env: { DIE_AT: moment }, nodeFlags: [`--import=${preload}`] };
}

function manifests({ dhcp = "{}", fence, more = [] }: SiteOptions): string {
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
  dhcp: ${dhcp}
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

/** From now on the neighbour has this MAC address. */
export async function becomeServer({ as, shell }: Town, mac: string): Promise<void> {
	await as("neighbour", `ip link set dev eth0 address ${mac}`);
	// or answers go to the card that was there before
	await shell("ip neigh flush dev br-prov");
}

/** How many bytes of a boot file come over TFTP to the neighbour with this MAC address. */
export async function fetchBootFile(town: Town, mac: string): Promise<number> {
	await becomeServer(town, mac);
	const size = await town.as(
		"neighbour",
		`rm -f /run/boot.file
timeout 3 busybox tftp -g -l /run/boot.file -r undionly.kpxe 172.22.0.1 2>/dev/null
stat -c %s /run/boot.file`,
	);
	return Number(size || 0);
}
