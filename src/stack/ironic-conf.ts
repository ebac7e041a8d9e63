import type { ImagePaths } from "../resources/image-layout.ts";
import type { Site } from "../resources/site.ts";
import { bmcCertificates, imageServerAuthorities, trustedCertificates } from "./certificates.ts";
import { databaseUrl } from "./database.ts";
import { type Endpoints, endpointsOf } from "./endpoints.ts";
import { imagePaths } from "./image-paths.ts";
import { type IniSections, renderIni } from "./ini.ts";
import type { StackInputs } from "./inputs.ts";
import { inspectionKernelParams, ramdiskKernelParams } from "./kernel-params.ts";
import { projectName } from "./names.ts";

/** Where the deploy ramdisk lies for Ironic; `prepare` swaps the link, so that both files change together. */
const ramdisk = "file:///shared/html/images/deploy-ramdisk";

/**
 * `ironic.conf`: API and conductor in one process, no RPC, no TCP listener. `spec.extraConfig` has the last word.
 * Options: https://docs.openstack.org/ironic/latest/configuration/config.html
 */
export function ironicConf(site: Site, inputs: StackInputs): string {
	const endpoints = endpointsOf(site, inputs);
	const paths = imagePaths(inputs.images.ironic.layout);
	const sections: Record<string, Record<string, string | number | boolean | undefined>> = {
		DEFAULT: defaults(site, inputs, paths),
		...services(site, endpoints),
		...conductor(site, endpoints, paths),
		...boot(site),
	};
	return renderIni(withExtraConfig(site, sections), "Ironic's configuration without its secrets.");
}

/** `secrets.conf`, the second `--config-file`: readable by the service alone. */
export function ironicSecretsConf(site: Site, inputs: StackInputs): string {
	return renderIni(databaseSection(site, inputs), "Ironic's secrets.");
}

/** The whole configuration of the one-shot that makes the tables: a change of anything else must not run it again. */
export function schemaConf(site: Site, inputs: StackInputs): string {
	const sections = new Map(databaseSection(site, inputs));
	sections.set("DEFAULT", new Map([["use_stderr", "true"]]));
	return renderIni(sections, "Connection of ironic-dbsync.");
}

function databaseSection(site: Site, inputs: StackInputs): IniSections {
	return new Map([["database", new Map([["connection", databaseUrl(site, inputs)]])]]);
}

function defaults(site: Site, inputs: StackInputs, paths: ImagePaths) {
	return {
		auth_strategy: "http_basic",
		http_basic_auth_user_file: "/etc/ironstrap/ironic/htpasswd",
		rpc_transport: "none",
		// The conductor's identity: locks of a killed conductor are cleared for this name at its next start.
		host: projectName(site.name),
		my_ip: inputs.provisioning.address,
		use_stderr: true,
		debug: false,
		// Ironic 29 always waits as long: its executor waits for the keepalive thread, which would be told to end later.
		// What is in flight was waited for before (lifecycle/quiet.ts).
		graceful_shutdown_timeout: 2,
		hash_ring_algorithm: "sha256",
		// On the volume: images are hard-linked from here, and the container has no other space.
		tempdir: "/shared/tmp",
		enabled_hardware_types: "redfish,ipmi,manual-management",
		enabled_bios_interfaces: "redfish,no-bios",
		enabled_boot_interfaces: "ipxe,redfish-virtual-media,redfish-https",
		enabled_console_interfaces: "no-console",
		enabled_deploy_interfaces: "direct,ramdisk,custom-agent",
		enabled_firmware_interfaces: "redfish,no-firmware",
		enabled_inspect_interfaces: "agent,redfish,no-inspect",
		enabled_management_interfaces: "ipmitool,redfish,noop",
		enabled_network_interfaces: "noop",
		enabled_power_interfaces: "ipmitool,redfish,agent,fake",
		enabled_raid_interfaces: "agent,redfish,no-raid",
		enabled_rescue_interfaces: "no-rescue",
		enabled_storage_interfaces: "noop",
		enabled_vendor_interfaces: "ipmitool,redfish,no-vendor",
		default_deploy_interface: "direct",
		default_inspect_interface: "agent",
		default_network_interface: "noop",
		grub_config_path: paths.grubConfigPath,
		isolinux_bin: paths.isolinux?.bin,
		ldlinux_c32: paths.isolinux?.ldlinux,
		webserver_verify_ca: trustedCertificates(site) === undefined ? undefined : imageServerAuthorities,
	};
}

function services(site: Site, endpoints: Endpoints) {
	const { prometheusExporter } = site.ironic.spec;
	return {
		api: {
			unix_socket: "/run/ironic/api.sock",
			// The directory lets only httpd in.
			unix_socket_mode: "0666",
			api_workers: 1,
			public_endpoint: endpoints.api,
			max_limit: 1000,
			ramdisk_heartbeat_timeout: heartbeatTimeout(site.hosts.length),
		},
		service_catalog: { endpoint_override: endpoints.api, auth_type: "none" },
		database: { max_retries: 60, retry_interval: 1, max_pool_size: 10, max_overflow: 20 },
		dhcp: { dhcp_provider: "none" },
		inventory: { data_backend: "database" },
		auto_discovery: { enabled: false },
		nova: { send_power_notifications: false },
		oslo_concurrency: { lock_path: "/tmp/locks" },
		sensor_data: {
			send_sensor_data: prometheusExporter?.enabled === true,
			interval: prometheusExporter?.sensorCollectionInterval,
		},
	};
}

/**
 * Seconds within which a deploy ramdisk must show up again; it does so after 30 to 60 % of them, and most operations
 * go on only then. Ironic's default of 300 makes a ready server wait for minutes. One process answers about 70 requests
 * a second: the more servers, the longer the pause. Few steps, because a change restarts Ironic.
 */
function heartbeatTimeout(hosts: number): number {
	if (hosts <= 50) return 30;
	return hosts <= 250 ? 120 : 300;
}

function conductor(site: Site, endpoints: Endpoints, paths: ImagePaths) {
	const { deadlines, imageDownload } = site.bootstrap.spec;
	return {
		conductor: {
			automated_clean: true,
			bootloader: `file://${paths.esp}`,
			bootloader_by_arch:
				paths.espAarch64 === undefined
					? undefined
					: `x86_64:file://${paths.esp},aarch64:file://${paths.espAarch64}`,
			deploy_kernel: `${ramdisk}/kernel`,
			deploy_ramdisk: `${ramdisk}/initramfs`,
			file_url_allowed_paths: `/shared/html/images,${paths.esp.slice(0, paths.esp.lastIndexOf("/"))}`,
			// A server that somebody switched off by hand stays off: ironstrap decides about power.
			force_power_state_during_sync: false,
			sync_power_state_interval: 60,
			power_state_change_timeout: 120,
			node_history: false,
			workers_pool_size: 100,
			// Ironic gives up before ironstrap does, so that the reason is Ironic's own.
			deploy_callback_timeout: beforeDeadline(deadlines.provision),
			clean_callback_timeout: beforeDeadline(Math.min(deadlines.prepare, deadlines.deprovision)),
			service_callback_timeout: beforeDeadline(deadlines.prepare),
			inspect_wait_timeout: beforeDeadline(deadlines.inspect),
		},
		agent: {
			image_download_source: imageDownload === "conductor" ? "local" : "http",
			deploy_logs_collect: "on_failure",
			deploy_logs_local_path: "/shared/log",
			max_command_attempts: 30,
			// On the volume: an agent that waits for its next command must still be trusted by a restarted Ironic.
			certificates_path: "/shared/agent-certificates",
		},
		deploy: {
			http_root: "/shared/html",
			http_url: endpoints.files,
			external_http_url: endpoints.media,
			external_callback_url: endpoints.callback,
			iso_master_path: "/shared/master_iso_images",
			erase_devices_metadata_priority: 10,
			erase_devices_priority: 0,
			fast_track: true,
		},
		inspector: {
			require_managed_boot: false,
			// With fast track the ramdisk of the inspection stays up and the deployment goes on with it.
			power_off: false,
			add_ports: "all",
			keep_ports: "present",
			extra_kernel_params: inspectionKernelParams(site) || undefined,
		},
	};
}

function boot(site: Site) {
	const kernelParams = ramdiskKernelParams(site);
	return {
		pxe: {
			tftp_root: "/shared/tftpboot",
			tftp_master_path: "/shared/tftp_master_images",
			images_path: "/shared/tmp",
			instance_master_path: "/shared/master_images",
			ipxe_boot_script: "/etc/ironstrap/ironic/boot.ipxe",
			enable_netboot_fallback: true,
			boot_retry_timeout: 1200,
			kernel_append_params: kernelParams,
		},
		redfish: {
			use_swift: false,
			kernel_append_params: kernelParams,
			// Ironic reads it from 32.0 on, and ignores it before.
			verify_ca: bmcCertificates(site) !== undefined ? "/etc/ironstrap/ironic/bmc-ca.pem" : undefined,
		},
	};
}

/** Nine tenths of a deadline of ironstrap's (milliseconds), in Ironic's seconds. */
function beforeDeadline(milliseconds: number): number {
	return Math.max(60, Math.floor((milliseconds * 0.9) / 1000));
}

/** Lays `spec.extraConfig` over our options, group by group; entries without name or value are skipped as IrSO does. */
function withExtraConfig(
	site: Site,
	ours: Record<string, Record<string, string | number | boolean | undefined>>,
): IniSections {
	const sections = new Map<string, Map<string, string>>();
	const section = (name: string) => {
		const found = sections.get(name) ?? new Map<string, string>();
		sections.set(name, found);
		return found;
	};
	for (const [name, options] of Object.entries(ours))
		for (const [option, value] of Object.entries(options))
			if (value !== undefined) section(name).set(option, String(value));
	for (const { group, name, value } of site.ironic.spec.extraConfig ?? [])
		if (name && value) section(groupName(group)).set(name.toLowerCase(), value);
	return sections;
}

/** IrSO turns groups into environment variables, where the case is lost; Ironic's groups are lower case but for DEFAULT. */
function groupName(group: string | undefined): string {
	return group === undefined || group === "" || group.toUpperCase() === "DEFAULT"
		? "DEFAULT"
		: group.toLowerCase();
}
