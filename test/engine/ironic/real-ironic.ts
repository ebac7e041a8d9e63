import { chmod, mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import bcrypt from "bcryptjs";
import { BMC_NETWORK, PROVISIONING } from "../../../lab/network.ts";
import type { Sandbox } from "../../../lab/sandbox.ts";
import { until } from "../../../lab/until.ts";
import { createIronicClient, type IronicClient } from "../../../src/ironic/client.ts";

export interface RealIronic {
	/** Reachable from the test process: a relay to the API's unix socket in the sandbox. */
	readonly baseUrl: string;
	readonly client: IronicClient;
	readonly username: string;
	readonly password: string;
	logs(): Promise<string>;
	stop(): Promise<void>;
}

const DIRECTORY = "/run/real-ironic";
const [USERNAME, PASSWORD] = ["ironic", "api-password-of-the-test"];

/** One Ironic of the image, with SQLite and fake hardware beside Redfish; no ramdisk, no DHCP. */
export async function startRealIronic(sandbox: Sandbox): Promise<RealIronic> {
	await mkdir(sandbox.path(DIRECTORY), { recursive: true });
	await chmod(sandbox.path(DIRECTORY), 0o777);
	const hash = (await bcrypt.hash(PASSWORD, 5)).replace(/^\$2b\$/, "$2y$");
	await writeFile(sandbox.path(`${DIRECTORY}/htpasswd`), `${USERNAME}:${hash}\n`);
	await writeFile(sandbox.path(`${DIRECTORY}/ironic.conf`), CONFIGURATION);
	const script = [
		"mkdir -p /data/html/images /data/tmp /data/tftp /data/lock",
		"echo kernel >/data/html/images/kernel; echo ramdisk >/data/html/images/ramdisk",
		"ironic-dbsync --config-file /data/ironic.conf create_schema",
		"exec ironic --config-file /data/ironic.conf",
	].join("\n");
	await sandbox.run(
		"podman",
		[
			...["run", "-d", "--name", "real-ironic", "--network", "host", "--entrypoint", "/usr/bin/tini"],
			...["-v", `${DIRECTORY}:/data`, "-e", "HOME=/data", "localhost/ironstrap/ironic:latest"],
			...["--", "sh", "-ec", script],
		],
		{ timeoutMs: 60_000 },
	);
	const relay = createServer((inner) => {
		const outer = connect(sandbox.path(`${DIRECTORY}/api.sock`));
		inner.pipe(outer).pipe(inner);
		inner.on("error", () => outer.destroy());
		outer.on("error", () => inner.destroy());
	});
	await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
	const baseUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
	const client = createIronicClient({ baseUrl, username: USERNAME, password: PASSWORD });
	const logs = async () => (await sandbox.run("podman", ["logs", "real-ironic"], { reject: false })).stderr;
	await until(
		async () => (await client.conductors().catch(() => [])).some(({ alive }) => alive) || undefined,
		{
			what: "Ironic's conductor",
			deadlineMs: 90_000,
		},
	);
	return {
		...{ baseUrl, client, logs, username: USERNAME, password: PASSWORD },
		async stop() {
			await client.close();
			relay.close();
		},
	};
}

const CONFIGURATION = `
[DEFAULT]
auth_strategy = http_basic
http_basic_auth_user_file = /data/htpasswd
rpc_transport = none
host = real-ironic
my_ip = ${PROVISIONING.address}
use_stderr = true
graceful_shutdown_timeout = 1
tempdir = /data/tmp
enabled_hardware_types = redfish,fake-hardware
enabled_boot_interfaces = ipxe,redfish-virtual-media,fake
enabled_deploy_interfaces = direct,fake
enabled_bios_interfaces = redfish,no-bios
enabled_firmware_interfaces = redfish,no-firmware
enabled_inspect_interfaces = agent,no-inspect
enabled_management_interfaces = redfish,fake
enabled_power_interfaces = redfish,fake
enabled_raid_interfaces = redfish,no-raid
enabled_vendor_interfaces = redfish,no-vendor
enabled_network_interfaces = noop
enabled_storage_interfaces = noop
enabled_console_interfaces = no-console
enabled_rescue_interfaces = no-rescue
default_network_interface = noop
[api]
unix_socket = /data/api.sock
unix_socket_mode = 0666
api_workers = 1
public_endpoint = https://ironic.invalid:6385
max_limit = 5
[conductor]
automated_clean = false
node_history = false
deploy_kernel = file:///data/html/images/kernel
deploy_ramdisk = file:///data/html/images/ramdisk
file_url_allowed_paths = /data/html
workers_pool_size = 20
[database]
connection = sqlite:////data/ironic.sqlite
[deploy]
http_root = /data/html
http_url = http://${PROVISIONING.address}:6180
fast_track = true
[dhcp]
dhcp_provider = none
[inspector]
require_managed_boot = false
power_off = false
add_ports = all
keep_ports = present
[inventory]
data_backend = database
[oslo_concurrency]
lock_path = /data/lock
[pxe]
tftp_root = /data/tftp
tftp_master_path = /data/tmp
images_path = /data/tmp
instance_master_path = /data/tmp
[redfish]
use_swift = false
connection_attempts = 1
connection_retry_interval = 1
[service_catalog]
endpoint_override = http://${BMC_NETWORK.address}:6385
auth_type = none
[nova]
send_power_notifications = false
`;

/** What a ramdisk posts after an inspection; Ironic finds the node by the MAC address. */
export async function callBack({ baseUrl }: RealIronic, mac: string): Promise<number> {
	const response = await fetch(`${baseUrl}/v1/continue_inspection`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-openstack-ironic-api-version": "1.95" },
		body: JSON.stringify({
			inventory: {
				hostname: "ramdisk",
				bmc_address: "0.0.0.0",
				system_vendor: { manufacturer: "QEMU", product_name: "q35", serial_number: "7" },
				cpu: {
					architecture: "x86_64",
					model_name: "Xeon",
					count: 2,
					frequency: "2095.076",
					flags: ["nx", "fpu"],
				},
				memory: { total: 536_870_912, physical_mb: 512 },
				boot: { current_boot_mode: "uefi", pxe_interface: mac },
				interfaces: [{ name: "enp0s2", mac_address: mac, ipv4_address: "172.22.0.101", has_carrier: true }],
				disks: [
					{
						name: "/dev/sda",
						by_path: "/dev/disk/by-path/pci-0000:00:1f.2-ata-1",
						size: 21_474_836_480,
						rotational: false,
						model: "QEMU HARDDISK",
					},
				],
			},
			root_disk: { name: "/dev/sda", size: 21_474_836_480 },
		}),
	});
	await response.text();
	return response.status;
}
