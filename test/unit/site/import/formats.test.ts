import test from "ava";
import { importBaremetalCreate } from "../../../../src/site/import/baremetal-create.ts";
import { importBifrost } from "../../../../src/site/import/bifrost.ts";
import { importEksA } from "../../../../src/site/import/eks-a.ts";
import { type ApiNode, importIronicApi } from "../../../../src/site/import/ironic-api.ts";
import { remarkLines, written } from "../../../support/imported.ts";
import { readShared } from "../../../support/shared.ts";

const IPMI_HOSTS = [
	{
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name: "basicipmiexample0", namespace: "metal3" },
		spec: {
			online: true,
			bootMACAddress: "00:00:00:23:34:56",
			architecture: "x86_64",
			bmc: { address: "ipmi://192.168.2.20", credentialsName: "basicipmiexample0-bmc" },
		},
	},
	{
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name: "advancedipmiexample0", namespace: "metal3" },
		spec: {
			online: true,
			bootMACAddress: "00:00:00:23:34:58",
			architecture: "x86_64",
			image: {
				url: "http://192.168.1.1:8080/custom_deployment_image.qcow2",
				checksum: "493972895dc465a09702ce6e85a836c5",
				checksumType: "auto",
			},
			bmc: { address: "ipmi://192.168.2.21", credentialsName: "advancedipmiexample0-bmc" },
		},
	},
];

for (const form of ["json", "yml"])
	test(`Bifrost's own example, ${form}`, (t) => {
		const imported = importBifrost(readShared("samples", "bifrost", `baremetal.${form}.example`), "f");
		const { findings, hosts, secrets } = written(imported);
		t.deepEqual(hosts, IPMI_HOSTS);
		t.like(secrets[1], {
			metadata: { name: "advancedipmiexample0-bmc" },
			stringData: { username: "ADMIN", password: "ADMIN_PASSWORD" },
		});
		t.deepEqual(findings, ["error ironic-missing", "warning image-checksum-md5"]);
		const notes = remarkLines(imported.remarks);
		t.is(notes.filter((line) => line.includes("driver_info.ipmi_t")).length, 4);
		t.is(notes.filter((line) => line.startsWith("missing") || line.startsWith("wrong")).length, 0);
		t.false(JSON.stringify(imported.remarks).includes("ADMIN_PASSWORD"));
	});

test("Bifrost's older CSV, from its own example", (t) => {
	const imported = importBifrost(readShared("samples", "bifrost", "baremetal.csv.example"), "f");
	const { hosts, secrets } = written(imported);
	t.is(hosts.length, 7);
	t.like(hosts[6], {
		metadata: { name: "hostname6" },
		spec: { bootMACAddress: "00:7f:9c:11:38:17", bmc: { address: "ipmi://192.168.122.1" } },
	});
	// `undefined` is how that format says that there is no password
	t.like(secrets[0], { stringData: { username: "root", password: "" } });
	t.true(
		remarkLines(imported.remarks).includes(
			"missing 1:24 hostname0 driver_info.ipmi_password: it is not given: add it to the host's Secret",
		),
	);
});

test("Bifrost with Redfish, an address, and the trailing comma that its own documentation has", (t) => {
	const text = `{
  "r1": {
    "driver": "redfish",
    "driver_info": {
      "redfish_address": "https://bmc.example",
      "redfish_system_id": "/redfish/v1/Systems/1",
      "redfish_username": "admin",
      "redfish_password": "pa$$w0rd",
    },
    "boot_interface": "redfish-virtual-media",
    "nics": [{"mac": "52-54-00-ab-00-01"}],
    "ipv4_address": "198.51.100.5", "ipv4_subnet_mask": "255.255.255.0", "ipv4_gateway": "198.51.100.1",
    "ipv4_nameserver": ["203.0.113.1"],
    "properties": {"root_device": {"wwn": "0x5000", "size": ">= 100"}, "capabilities": "boot_mode:uefi,secure_boot:true"}
  }
}`;
	const { hosts, secrets } = written(importBifrost(text, "f"));
	t.like(hosts[0], {
		spec: {
			bootMode: "UEFISecureBoot",
			rootDeviceHints: { wwn: "0x5000", minSizeGigabytes: 100 },
			bmc: { address: "redfish-virtualmedia://bmc.example/redfish/v1/Systems/1" },
			networkData: { name: "r1-network-data", namespace: "metal3" },
		},
	});
	t.like(secrets[0], { stringData: { username: "admin", password: "pa$$w0rd" } });
	const { networkData } = (secrets[1] as { stringData: { networkData: string } }).stringData;
	t.like((JSON.parse(networkData) as { networks: object[] }).networks[0], {
		ip_address: "198.51.100.5",
		netmask: "255.255.255.0",
	});
});

test("what `baremetal create` takes: ports, port groups, chassis, hints that a host cannot say", (t) => {
	const text = `---
chassis:
- description: rack 1
  nodes:
  - name: in-chassis
    driver: ipmi
    driver_info: {ipmi_address: 192.0.2.2, ipmi_username: admin, ipmi_password: 12345678, ipmi_port: 6230}
    ports: [{address: "52:54:00:ab:00:02"}]
nodes:
- name: cp-0
  driver: redfish
  resource_class: baremetal
  automated_clean: false
  driver_info:
    redfish_address: http://192.0.2.1:8000
    redfish_system_id: /redfish/v1/Systems/1
    redfish_username: admin
    redfish_password: hunter2
    redfish_verify_ca: false
  properties:
    cpu_arch: aarch64
    root_device: {model: "s== KINGSTON", serial: S1}
  ports:
  - {address: "52:54:00:ab:00:01", pxe_enabled: false}
  portgroups:
  - ports: [{address: "52:54:00:ab:00:03"}]
- not a node
`;
	const imported = importBaremetalCreate(text, "f");
	const { hosts, secrets } = written(imported);
	t.like(hosts[0], {
		metadata: { name: "cp-0" },
		spec: {
			architecture: "aarch64",
			automatedCleaningMode: "disabled",
			bootMACAddress: "52:54:00:ab:00:03",
			rootDeviceHints: { serialNumber: "S1" },
			bmc: {
				address: "redfish+http://192.0.2.1:8000/redfish/v1/Systems/1",
				disableCertificateVerification: true,
			},
		},
	});
	t.like(hosts[1], { metadata: { name: "in-chassis" }, spec: { bmc: { address: "ipmi://192.0.2.2:6230" } } });
	t.like(secrets[1], { stringData: { password: "12345678" } });
	t.deepEqual(remarkLines(imported.remarks), [
		"left-out 12:19 cp-0 resource_class: has no place in a host",
		"left-out 24:15 cp-0 mac: 52:54:00:ab:00:01: a host has one boot MAC; inspection finds the other cards",
		"missing 22:26 cp-0 properties.root_device.model: root device hint model is compared with s==; a BareMetalHost can only say <in>: say otherwise which disk is meant",
		"wrong 27:3 - nodes: this is not a node; left out",
	]);
});

test("EKS Anywhere's hardware CSV: labels, name servers, network data; the header must be its own", (t) => {
	const text = `hostname,bmc_ip,bmc_username,bmc_password,mac,ip_address,netmask,gateway,nameservers,labels,disk
eksa-cp01,192.0.2.1,root,Pa55,CC:48:3A:00:00:01,198.51.100.50,255.255.254.0,198.51.100.1,203.0.113.8|203.0.113.9,type=cp,/dev/sda
eksa-wk01,192.0.2.2,root,Pa55,CC:48:3A:00:00:02,198.51.100.51,255.255.254.0,198.51.100.1,203.0.113.8,type=worker|rack=1,/dev/disk/by-id/wwn-0x5
`;
	const { hosts, remarks, secrets } = written(importEksA(text, "f"));
	t.like(hosts[0], {
		metadata: { name: "eksa-cp01", labels: { type: "cp" } },
		spec: {
			bootMACAddress: "cc:48:3a:00:00:01",
			rootDeviceHints: { deviceName: "/dev/sda" },
			bmc: { address: "redfish-virtualmedia://192.0.2.1" },
			networkData: { name: "eksa-cp01-network-data" },
		},
	});
	t.like(hosts[1], { metadata: { labels: { type: "worker", rack: "1" } } });
	const data = JSON.parse(
		(secrets[1] as { stringData: { networkData: string } }).stringData.networkData,
	) as object;
	t.like(data, {
		services: [
			{ type: "dns", address: "203.0.113.8" },
			{ type: "dns", address: "203.0.113.9" },
		],
	});
	t.true(remarkLines(remarks).some((line) => line.startsWith("wrong 3:") && line.includes("eksa-wk01 disk")));
	t.deepEqual(remarkLines(importEksA("name,ip\na,192.0.2.1", "f").remarks), [
		"wrong 1:1 - header: the first line has no column for name, mac, address: this is not the format that was asked for",
	]);
});

const NODE: ApiNode = {
	uuid: "11111111-2222-3333-4444-555555555555",
	name: "metal3~cp-0",
	driver: "redfish",
	boot_interface: "ipxe",
	driver_info: {
		redfish_address: "https://192.0.2.1",
		redfish_system_id: "/redfish/v1/Systems/1",
		redfish_username: "admin",
		redfish_password: "******",
	},
	instance_info: {
		image_source: "http://192.0.2.9/i.qcow2",
		image_os_hash_algo: "sha256",
		image_os_hash_value: "ab".repeat(32),
	},
	properties: { capabilities: { boot_mode: "uefi" } },
	provision_state: "available",
	power_state: "power off",
	maintenance: false,
};

test("a running Ironic: names of baremetal-operator, hidden passwords, servers in use", (t) => {
	const active = {
		...NODE,
		uuid: "aaaaaaaa-2222-3333-4444-555555555555",
		name: null,
		provision_state: "active",
		power_state: "power on",
	};
	const ports = [{ address: "52:54:00:AB:00:01", node_uuid: NODE.uuid, pxe_enabled: true }];
	const imported = importIronicApi([NODE, active], ports, "https://192.0.2.8:6385/");
	const { hosts, secrets } = written(imported);
	t.deepEqual(hosts[0], {
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name: "cp-0", namespace: "metal3" },
		spec: {
			online: false,
			bootMACAddress: "52:54:00:ab:00:01",
			bootMode: "UEFI",
			image: { url: "http://192.0.2.9/i.qcow2", checksum: "ab".repeat(32), checksumType: "sha256" },
			bmc: { address: "redfish://192.0.2.1/redfish/v1/Systems/1", credentialsName: "cp-0-bmc" },
		},
	});
	t.like(hosts[1], {
		metadata: { name: "node-aaaaaaaa-2222-3333-4444-555555555555" },
		spec: { online: true, externallyProvisioned: true },
	});
	t.false("image" in (hosts[1] as { spec: object }).spec);
	t.like(secrets[0], { stringData: { username: "admin", password: "" } });
	t.true(
		remarkLines(imported.remarks).includes(
			"missing 1:1 cp-0 driver_info.redfish_password: Ironic does not tell it: add it to the host's Secret",
		),
	);
});
