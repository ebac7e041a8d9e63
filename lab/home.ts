import { commandsIn, type LabNetwork } from "./network.ts";
import { LAB_RUN_DIRECTORY } from "./sandbox/mounts.ts";
import type { Sandbox } from "./sandbox.ts";

/** A laptop at home: Wi-Fi is its only interface, the router gives out addresses, and a server's BMC is there too. */
export const HOME = {
	interface: "wlp2s0",
	mac: "a4:c3:f0:00:00:01",
	address: "192.168.178.57",
	router: "192.168.178.1",
	/** The router's and the BMC's side, a network namespace. */
	namespace: "home",
	routerInterface: "lan0",
	bmc: { address: "192.168.178.60", port: 8000 },
} as const;

/** Gives the sandbox that one interface, with an address as DHCP leaves it. The router is its neighbour. */
export async function createHome(sandbox: Sandbox): Promise<LabNetwork> {
	const { namespace } = HOME;
	await sandbox.run("ip", ["netns", "add", namespace]);
	await sandbox.run("ip", ["-batch", "-"], { input: laptopCommands() });
	await sandbox.run("ip", ["-n", namespace, "-batch", "-"], { input: routerCommands() });
	await sandbox.run("sh", ["-ec", RADIO, "sh", HOME.interface, `${LAB_RUN_DIRECTORY}/radio`]);
	return { fromNeighbour: commandsIn(sandbox, namespace) };
}

function laptopCommands(): string {
	const { interface: radio, mac, address, router, namespace, routerInterface } = HOME;
	return [
		`link add ${radio} address ${mac} type veth peer name ${routerInterface} netns ${namespace}`,
		// a lifetime is what tells an address that came by DHCP
		`addr add ${address}/24 dev ${radio} valid_lft 864000 preferred_lft 864000`,
		`link set ${radio} up`,
		`route add default via ${router}`,
		"",
	].join("\n");
}

function routerCommands(): string {
	const { routerInterface, router, bmc } = HOME;
	return [
		"link set lo up",
		`addr add ${router}/24 dev ${routerInterface}`,
		`addr add ${bmc.address}/24 dev ${routerInterface}`,
		`link set ${routerInterface} up`,
		"",
	].join("\n");
}

/**
 * What tells Wi-Fi from a cable is a folder `wireless` in the interface's /sys. A radio cannot be had in a sandbox: the
 * folder is laid over the real /sys, in the sandbox's own mount namespace.
 */
const RADIO = `
device=$(readlink -f "/sys/class/net/$1")
mkdir -p "$2/wireless" "$2/phy80211"
mount -t overlay overlay -o "ro,lowerdir=$2:$device" "$device"`;
