import { commandsIn, NEIGHBOUR } from "./network.ts";
import type { SandboxProcess } from "./sandbox/command.ts";
import { LAB_RUN_DIRECTORY } from "./sandbox/mounts.ts";
import type { Sandbox } from "./sandbox.ts";
import { until } from "./until.ts";

/** What the neighbour's DHCP server gives out. */
export const FOREIGN_DHCP = {
	server: NEIGHBOUR.address,
	begin: "172.22.0.201",
	end: "172.22.0.220",
	router: "172.22.0.254",
};

/** Somebody else's DHCP server (BusyBox's) on the provisioning network, on the neighbour. Waits until it listens. */
export async function startForeignDhcp(sandbox: Sandbox): Promise<SandboxProcess> {
	const [config, leases] = [`${LAB_RUN_DIRECTORY}/udhcpd.conf`, `${LAB_RUN_DIRECTORY}/udhcpd.leases`];
	const text = [
		`interface ${NEIGHBOUR.interface}`,
		`start ${FOREIGN_DHCP.begin}`,
		`end ${FOREIGN_DHCP.end}`,
		"max_leases 20",
		`lease_file ${leases}`,
		"option subnet 255.255.255.0",
		`option router ${FOREIGN_DHCP.router}`,
		"",
	].join("\n");
	await sandbox.run("sh", ["-ec", 'cat >"$1"; : >"$2"', "sh", config, leases], { input: text });
	const inside = ["netns", "exec", NEIGHBOUR.namespace, "busybox", "udhcpd", "-f", config];
	const server = sandbox.spawn("ip", inside, { log: sandbox.path(`${LAB_RUN_DIRECTORY}/udhcpd.log`) });
	await serving(sandbox, NEIGHBOUR.namespace);
	return server;
}

export interface DnsmasqOptions {
	/** The network namespace it lives in, and its interface there. */
	readonly namespace: string;
	readonly interface: string;
	readonly begin: string;
	readonly end: string;
	readonly router: string;
	/** Gives out addresses of this IPv6 network, too. */
	readonly network6?: string | undefined;
}

/**
 * The same, as most home routers have it: dnsmasq, which pings an address for three seconds before it offers it. It
 * comes out of the stack's image. Waits until it listens.
 */
export async function startDnsmasq(sandbox: Sandbox, options: DnsmasqOptions): Promise<void> {
	const { namespace, begin, end, network6, router } = options;
	const capabilities = ["NET_ADMIN", "NET_RAW", "NET_BIND_SERVICE", "SETUID", "SETGID"];
	const container = [
		...["run", "--detach", "--pull", "never", "--network", `ns:/run/netns/${namespace}`, "--user", "0:0"],
		...["--cap-drop", "ALL", ...capabilities.flatMap((each) => ["--cap-add", each])],
		...["--entrypoint", "/usr/sbin/dnsmasq", "localhost/ironstrap/ironic:latest"],
	];
	const settings = [
		...["--keep-in-foreground", "--log-facility=-", "--port=0", "--conf-file=/dev/null"],
		...[`--interface=${options.interface}`, "--bind-dynamic", "--dhcp-leasefile=/tmp/leases"],
		...[`--dhcp-range=${begin},${end},1h`, `--dhcp-option=option:router,${router}`],
		...(network6 === undefined ? [] : [`--dhcp-range=${network6}1000,${network6}10ff,64,1h`]),
	];
	await sandbox.run("podman", [...container, ...settings]);
	await serving(sandbox, namespace);
}

async function serving(sandbox: Sandbox, namespace: string): Promise<void> {
	const run = commandsIn(sandbox, namespace);
	await until(async () => (await run("ss", ["-lunH", "sport", "=", ":67"])).stdout.includes(":67"), {
		what: `a DHCP server in ${namespace}`,
		deadlineMs: 20_000,
	});
}
