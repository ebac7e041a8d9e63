import test from "ava";
import { configDrive } from "../../../src/hosts/config-drive.ts";
import { configurationPatch, newNode } from "../../../src/hosts/enrolment.ts";
import { hostData } from "../../../src/hosts/host-data.ts";
import { capabilities, instanceInfo } from "../../../src/hosts/instance.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { host, IMAGE, secret, site } from "./_fixtures.ts";
import { modelNode } from "./_model-ironic.ts";

const INPUTS = {
	credentials: { username: "admin", password: "pw" },
	hardware: undefined,
	networkData: undefined,
	microversion: "1.96",
};
const NONE = {
	userData: undefined,
	networkData: undefined,
	metaData: undefined,
	preprovisioningNetworkData: undefined,
};

test("a Redfish host is enrolled as BMO enrols it", (t) => {
	t.deepEqual(newNode(host(), INPUTS), {
		name: "metal3~cp-0",
		driver: "redfish",
		driver_info: {
			redfish_address: "http://192.168.222.1:8000",
			redfish_system_id: "/redfish/v1/Systems/cp-0",
			redfish_username: "admin",
			redfish_password: "pw",
		},
		firmware_interface: "redfish",
		raid_interface: "redfish",
		inspect_interface: "agent",
		boot_interface: "ipxe",
		automated_clean: true,
		disable_power_off: false,
		properties: { capabilities: "boot_mode:uefi" },
	});
});

test("virtual media over plain HTTP is for the BMC that asks for it alone", (t) => {
	const plainMediaUrl = "http://172.22.0.1:6180";
	const asking = {
		...host(),
		metadata: { ...host().metadata, annotations: { "ironstrap.io/virtual-media": "http" } },
	};
	t.is(newNode(asking, { ...INPUTS, plainMediaUrl }).driver_info.external_http_url, plainMediaUrl);
	t.false("external_http_url" in newNode(host(), { ...INPUTS, plainMediaUrl }).driver_info);
});

test("the scheme, boot mode, cleaning mode and architecture decide the rest", (t) => {
	const virtualMedia = newNode(
		host({
			bmc: {
				address: "redfish-virtualmedia://10.0.0.1/redfish/v1/Systems/1",
				credentialsName: "c",
				disableCertificateVerification: true,
			},
			bootMode: "UEFISecureBoot",
			automatedCleaningMode: "disabled",
			disablePowerOff: true,
			architecture: "aarch64",
		}),
		{ ...INPUTS, networkData: { links: [] } },
	);
	t.like(virtualMedia, {
		boot_interface: "redfish-virtual-media",
		automated_clean: false,
		disable_power_off: true,
		network_data: { links: [] },
		properties: { capabilities: "boot_mode:uefi,secure_boot:true", cpu_arch: "aarch64" },
	});
	t.is(virtualMedia.driver_info.redfish_verify_ca, false);
	const ipmi = newNode(
		host({ bmc: { address: "ipmi://10.0.0.1:6230", credentialsName: "c" }, bootMode: "legacy" }),
		INPUTS,
	);
	t.like(ipmi, {
		driver: "ipmi",
		boot_interface: "ipxe",
		raid_interface: "no-raid",
		inspect_interface: "agent",
		properties: { capabilities: "boot_mode:bios" },
	});
	t.is(ipmi.driver_info.ipmi_port, "6230");
});

test("an API before 1.95 is not told about power-off protection", (t) => {
	t.false("disable_power_off" in newNode(host(), { ...INPUTS, microversion: "1.82" }));
});

test("an existing node is changed only where it differs; credentials are always written", (t) => {
	const wanted = newNode(host(), INPUTS);
	const node = modelNode({
		...(wanted as object),
		driver_info: { redfish_password: "******" },
		provision_state: "manageable",
		properties: { capabilities: "cpu_vt:true,boot_mode:bios", memory_mb: "2048" },
	});
	t.deepEqual(configurationPatch(host(), node, INPUTS), [
		{ op: "add", path: "/driver_info", value: wanted.driver_info },
		{
			op: "add",
			path: "/properties",
			value: { capabilities: "cpu_vt:true,boot_mode:uefi", memory_mb: "2048" },
		},
	]);
});

test("instance_info carries the image, its checksum and the root device", (t) => {
	t.deepEqual(instanceInfo(host({ rootDeviceHints: { deviceName: "/dev/sda", minSizeGigabytes: 4 } })), {
		capabilities: {},
		root_device: { name: "s== /dev/sda", size: ">= 4" },
		image_source: IMAGE.url,
		image_disk_format: "qcow2",
		image_os_hash_algo: "sha256",
		image_os_hash_value: IMAGE.checksum,
	});
	const bySumsFile = {
		url: "http://h/os.raw",
		checksum: "http://h/SHA256SUMS",
		checksumType: "sha256",
		format: "raw",
	};
	t.deepEqual(instanceInfo(host({ image: bySumsFile, bootMode: "UEFISecureBoot" })), {
		capabilities: { secure_boot: "true" },
		image_source: "http://h/os.raw",
		image_disk_format: "raw",
		image_checksum: "http://h/SHA256SUMS",
	});
	t.deepEqual(instanceInfo(host({ image: { url: "http://h/live.iso", format: "live-iso" } })), {
		capabilities: {},
		boot_iso: "http://h/live.iso",
	});
});

test("capabilities keep what inspection found", (t) => {
	t.is(capabilities(undefined, undefined), "boot_mode:uefi");
	t.is(capabilities("legacy", "boot_mode:uefi,secure_boot:true,cpu_aes:true"), "cpu_aes:true,boot_mode:bios");
});

test("the config drive is BMO's: its meta data with the user's over them", (t) => {
	t.deepEqual(configDrive(host(), "u-1", NONE), {
		meta_data: {
			uuid: "u-1",
			"metal3-namespace": "metal3",
			"metal3-name": "cp-0",
			"local-hostname": "cp-0",
			local_hostname: "cp-0",
			name: "cp-0",
		},
	});
	const cp0 = host({
		userData: { name: "cp-0-user" },
		networkData: { name: "cp-0-net" },
		metaData: { name: "cp-0-meta" },
	});
	const data = hostData(
		cp0,
		site([cp0], {
			secrets: [
				secret("cp-0-user", { value: "#cloud-config\n" }),
				secret("cp-0-net", { networkData: "links: []\n" }),
				secret("cp-0-meta", { metaData: '{"name": "first", "rack": 7}' }),
			],
		}),
	);
	t.like(configDrive(cp0, "u-1", data), {
		user_data: "#cloud-config\n",
		network_data: { links: [] },
		meta_data: { name: "first", rack: 7, local_hostname: "cp-0" },
	});
	t.is(
		configDrive(host({ image: { url: "http://h/live.iso", format: "live-iso" } }), "u-1", NONE),
		undefined,
	);
});

test("the ramdisk's network data stand in for the system's", (t) => {
	const cp0 = host({ preprovisioningNetworkDataName: "net" });
	const data = hostData(cp0, site([cp0], { secrets: [secret("net", { networkData: "services: []" })] }));
	t.deepEqual(data.networkData, { services: [] });
	t.deepEqual(data.preprovisioningNetworkData, { services: [] });
});

test("what does not parse is told without its text", (t) => {
	const cp0 = host({ metaData: { name: "meta" } });
	const error = t.throws(
		() => hostData(cp0, site([cp0], { secrets: [secret("meta", { metaData: "password: [hunter2" })] })),
		{
			instanceOf: IronstrapError,
		},
	);
	t.is(error.code, "host-data-invalid");
	t.false(`${error.message}${error.seen}${error.stack}`.includes("hunter2"));
});

test("a missing Secret is told with the field that names it", (t) => {
	const cp0 = host({ userData: { name: "nowhere" } });
	const error = t.throws(() => hostData(cp0, site([cp0])), { instanceOf: IronstrapError });
	t.is(error.code, "host-secret-missing");
	t.is(error.message, "spec.userData.name names Secret metal3/nowhere, which is not in the site");
});
