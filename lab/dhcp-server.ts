import type { LabNetwork } from "./network.ts";
import { NEIGHBOUR } from "./network.ts";
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
export async function startForeignDhcp(sandbox: Sandbox, network: LabNetwork): Promise<SandboxProcess> {
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
	await until(
		async () => (await network.fromNeighbour("ss", ["-lunH", "sport", "=", ":67"])).stdout.includes(":67"),
		{ what: "the neighbour's DHCP server", deadlineMs: 10_000 },
	);
	return server;
}
