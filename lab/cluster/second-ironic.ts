import { mkdir, writeFile } from "node:fs/promises";
import { LAB_RUN_DIRECTORY } from "../sandbox/mounts.ts";
import type { Sandbox } from "../sandbox.ts";
import { until } from "../until.ts";

const PORT = 16_385;
const NAME = "target-ironic";
const DIRECTORY = `${LAB_RUN_DIRECTORY}/${NAME}`;

/** Where the second Ironic answers, inside the sandbox. */
export const TARGET_IRONIC_URL = `http://127.0.0.1:${PORT}`;

/** Ironic as it is where it has nothing of anybody else's: a database of its own, no login, adoption and nothing more. */
const CONFIG = `[DEFAULT]
auth_strategy = noauth
rpc_transport = none
host = ${NAME}
my_ip = 127.0.0.1
use_stderr = true
hash_ring_algorithm = sha256
enabled_hardware_types = redfish
enabled_boot_interfaces = ipxe,redfish-virtual-media
enabled_deploy_interfaces = direct
enabled_inspect_interfaces = agent
enabled_management_interfaces = redfish
enabled_network_interfaces = noop
enabled_power_interfaces = redfish
enabled_raid_interfaces = redfish,no-raid
enabled_bios_interfaces = redfish,no-bios
enabled_vendor_interfaces = redfish,no-vendor
enabled_firmware_interfaces = redfish,no-firmware
enabled_storage_interfaces = noop
enabled_console_interfaces = no-console
enabled_rescue_interfaces = no-rescue
default_network_interface = noop

[api]
host_ip = 127.0.0.1
port = ${PORT}
api_workers = 1

[database]
connection = sqlite:////tmp/ironic.sqlite

[conductor]
force_power_state_during_sync = false
sync_power_state_interval = 5

[deploy]
http_root = /tmp
http_url = http://127.0.0.1

[pxe]
tftp_root = /tmp
tftp_master_path = /tmp/master

[dhcp]
dhcp_provider = none

[oslo_concurrency]
lock_path = /tmp/locks
`;

/**
 * A second real Ironic, which plays the target's: the same image, and nothing else in common with the first. Its name is
 * none of the product's, so that nobody takes it for a part of the stack.
 */
export async function startSecondIronic(sandbox: Sandbox): Promise<void> {
	await mkdir(sandbox.path(DIRECTORY), { mode: 0o755 });
	await writeFile(sandbox.path(`${DIRECTORY}/ironic.conf`), CONFIG, { mode: 0o644 });
	const program =
		"ironic-dbsync --config-file /conf/ironic.conf create_schema && exec ironic --config-file /conf/ironic.conf";
	await sandbox.run("podman", [
		...["run", "--detach", "--name", NAME, "--network", "host", "--user", "902:902", "--env", "HOME=/tmp"],
		...["--tmpfs", "/tmp:mode=1777", "--volume", `${DIRECTORY}:/conf:ro`],
		...["localhost/ironstrap/ironic:latest", "/bin/sh", "-c", program],
	]);
	let seen = "";
	await until(
		async () => {
			const { exitCode, stdout, stderr } = await sandbox.run(
				"curl",
				[
					"-sSf",
					"--max-time",
					"5",
					"-H",
					"X-OpenStack-Ironic-API-Version: 1.90",
					`${TARGET_IRONIC_URL}/v1/drivers`,
				],
				{ reject: false },
			);
			seen = `${stdout}${stderr}`;
			return exitCode === 0 && stdout.includes('"redfish"');
		},
		{ what: "the second Ironic", deadlineMs: 180_000, everyMs: 500, seen: () => seen },
	);
}

export async function removeSecondIronic(sandbox: Sandbox): Promise<void> {
	await sandbox.run("podman", ["rm", "--force", "--time", "5", NAME]);
}

interface AdoptedNode {
	readonly name: string;
	readonly provision_state: string;
	readonly power_state: string | null;
	readonly last_error: string | null;
}

/** Its nodes, by name. */
export async function secondIronicNodes(sandbox: Sandbox): Promise<readonly AdoptedNode[]> {
	const { stdout } = await sandbox.run("curl", [
		...["-sSf", "--max-time", "20", "-H", "X-OpenStack-Ironic-API-Version: 1.90"],
		`${TARGET_IRONIC_URL}/v1/nodes/detail?include_children=true`,
	]);
	const { nodes } = JSON.parse(stdout) as { readonly nodes: readonly AdoptedNode[] };
	return [...nodes].sort((a, b) => a.name.localeCompare(b.name));
}
