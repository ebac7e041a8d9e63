import type { CommandResult, RunOptions } from "./sandbox/command.ts";
import type { Sandbox } from "./sandbox.ts";

/** The provisioning network: a bridge that is the bootstrap machine's provisioning interface. */
export const PROVISIONING = {
	interface: "br-prov",
	mac: "52:54:00:ab:ff:01",
	address: "172.22.0.1",
	cidr: "172.22.0.1/24",
	cidr6: "fd00:1abc::1/64",
	/** What the site may hand out. */
	dhcpRange: "172.22.0.100-172.22.0.150",
} as const;

/** The network of the BMCs. */
export const BMC_NETWORK = {
	interface: "bmc0",
	address: "192.168.222.1",
	cidr: "192.168.222.1/24",
	port: 8000,
} as const;

/** A second machine on the provisioning network, in a network namespace of its own. */
export const NEIGHBOUR = {
	namespace: "neighbour",
	interface: "eth0",
	address: "172.22.0.200",
	address6: "fd00:1abc::200",
} as const;

export interface NetworkOptions {
	/** Tap devices to make as ports of the bridge, one a server. */
	readonly taps: readonly string[];
	/** Adds {@link NEIGHBOUR}, from which a test can scan or ask for an address. Default false. */
	readonly neighbour?: boolean | undefined;
}

export interface LabNetwork {
	/** Runs a command as the neighbour; throws if the lab has none. */
	fromNeighbour(command: string, args?: readonly string[], options?: RunOptions): Promise<CommandResult>;
}

/** Lays the cables inside the sandbox. */
export async function createNetwork(sandbox: Sandbox, options: NetworkOptions): Promise<LabNetwork> {
	if (options.neighbour) await sandbox.run("ip", ["netns", "add", NEIGHBOUR.namespace]);
	await sandbox.run("ip", ["-batch", "-"], { input: networkCommands(options) });
	const { namespace } = NEIGHBOUR;
	if (options.neighbour)
		await sandbox.run("ip", ["-n", namespace, "-batch", "-"], { input: neighbourCommands() });
	// an advertisement would give the tucked-away ends addresses, and this machine with them
	await sandbox.run("sh", [
		"-ec",
		"for end in /proc/sys/net/ipv6/conf/*-end; do echo 0 >$end/accept_ra; done",
	]);
	return { fromNeighbour: commandsIn(sandbox, namespace) };
}

/** Runs commands in a network namespace of the sandbox. */
export function commandsIn(sandbox: Sandbox, namespace: string): LabNetwork["fromNeighbour"] {
	return (command, args = [], options = {}) =>
		sandbox.run("ip", ["netns", "exec", namespace, command, ...args], options);
}

/**
 * Input of `ip -batch`. The bridge forwards at once (no spanning tree: PXE firmware gives up sooner than it learns),
 * addresses skip duplicate detection, and a port of its own keeps the carrier up while no server is powered on.
 */
export function networkCommands({ taps, neighbour }: NetworkOptions): string {
	const bridge = PROVISIONING.interface;
	return [
		`link add ${bridge} address ${PROVISIONING.mac} type bridge stp_state 0 forward_delay 0`,
		`addr add ${PROVISIONING.cidr} dev ${bridge}`,
		`addr add ${PROVISIONING.cidr6} dev ${bridge} nodad`,
		`link set ${bridge} up`,
		...cable("prov-up"),
		`link set prov-up master ${bridge} up`,
		...taps.flatMap((tap) => [`tuntap add dev ${tap} mode tap`, `link set ${tap} master ${bridge} up`]),
		...cable(BMC_NETWORK.interface),
		`addr add ${BMC_NETWORK.cidr} dev ${BMC_NETWORK.interface}`,
		`link set ${BMC_NETWORK.interface} up`,
		...(neighbour
			? [
					`link add prov-nb type veth peer name ${NEIGHBOUR.interface} netns ${NEIGHBOUR.namespace}`,
					`link set prov-nb master ${bridge} up`,
				]
			: []),
		"",
	].join("\n");
}

/**
 * A link that is always up, with its other end tucked away: kernels of build machines have no dummy device. The end
 * makes no address for itself, or a router advertisement would give this machine a second one.
 */
function cable(name: string): string[] {
	const end = `${name}-end`;
	return [
		`link add ${name} type veth peer name ${end}`,
		`link set ${end} addrgenmode none`,
		`link set ${end} up`,
	];
}

function neighbourCommands(): string {
	const { interface: link, address, address6 } = NEIGHBOUR;
	return [
		"link set lo up",
		`addr add ${address}/24 dev ${link}`,
		`addr add ${address6}/64 dev ${link} nodad`,
		`link set ${link} up`,
		"",
	].join("\n");
}
