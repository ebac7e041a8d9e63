import type { MachineFacts } from "../../../src/init/facts.ts";
import type { MachineInterface } from "../../../src/linux/ip-json.ts";

export function machineLink(
	name: string,
	more: Partial<MachineInterface> & { ip?: string } = {},
): MachineInterface {
	const { ip, ...rest } = more;
	const addresses =
		ip === undefined
			? []
			: [{ family: 4, address: ip.split("/")[0] ?? "", cidr: ip, dynamic: false } as const];
	return {
		...{ name, mac: "52:54:00:00:00:01", kind: "ethernet", over: [], memberOf: undefined, vlan: undefined },
		...{ link: true, speedMbps: 1000, addresses, gateway: undefined, managedBy: undefined },
		...rest,
	};
}

export function machine(
	interfaces: readonly MachineInterface[],
	more: Partial<MachineFacts> = {},
): MachineFacts {
	return {
		...{ interfaces, login: undefined, time: "synchronised" },
		engine: { found: true, name: "Podman 4.3.1", socket: "/run/podman/podman.sock" },
		...more,
	};
}

/** A jump host: the person came in by eno1, eno2 goes to the servers. */
export const jumpHost = machine(
	[
		machineLink("eno1", { ip: "10.0.0.5/24", gateway: "10.0.0.1" }),
		machineLink("eno2", { ip: "172.22.0.1/24", speedMbps: 10_000 }),
		machineLink("docker0", { kind: "bridge", ip: "172.17.0.1/16", managedBy: "Docker" }),
		machineLink("vnet3", { kind: "virtual", memberOf: "br9" }),
	],
	{ login: { from: "10.0.0.77", to: "10.0.0.5" } },
);

/** A laptop whose only network is the Wi-Fi. */
export const laptop = machine([
	machineLink("wlp3s0", {
		kind: "wireless",
		speedMbps: undefined,
		gateway: "192.168.1.1",
		addresses: [{ family: 4, address: "192.168.1.57", cidr: "192.168.1.57/24", dynamic: true }],
	}),
]);
