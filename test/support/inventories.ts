import type { FileFormat } from "../../src/site/import/formats.ts";

/** One text of each format, with a bit of everything and the word that no report may contain. */
export const INVENTORIES: Readonly<Record<FileFormat, string>> = {
	csv: 'name;mac;bmc;user;password;driver;port;boot mode;disk;disk gb;ip;netmask;gateway;dns;labels;online\ncp-0;52-54-00-AB-00-01;192.0.2.1;admin;"hun;ter2";redfish;443;UEFI;/dev/sda;447,1;198.51.100.5;24;198.51.100.1;203.0.113.1;"a=b|c";ja\ncp-1;52:54:00:ab:00:02;redfish://192.0.2.2/redfish/v1/Systems/1;admin;hunter2;;;;;;;;;;;\n',
	"eks-a":
		"hostname,vendor,bmc_ip,bmc_username,bmc_password,mac,ip_address,netmask,gateway,nameservers,labels,disk\ncp-0,dell,192.0.2.1,root,hunter2,CC:48:3A:00:00:01,198.51.100.50,255.255.254.0,198.51.100.1,203.0.113.8|203.0.113.9,type=cp,/dev/sda\n",
	bifrost:
		'{"n1": {"driver": "ipmi", "driver_info": {"ipmi_address": "192.0.2.1", "ipmi_username": "admin", "ipmi_password": "hunter2"}, "nics": [{"mac": "52:54:00:ab:00:01"}], "properties": {"root_device": {"size": ">= 10"}, "capabilities": "boot_mode:uefi"}, "ipv4_address": "198.51.100.5", "ipv4_subnet_mask": "255.255.255.0", "instance_info": {"image_source": "http://h/i"}}}',
	"baremetal-create":
		'nodes:\n- name: n1\n  driver: redfish\n  driver_info: {redfish_address: "https://192.0.2.1", redfish_username: admin, redfish_password: hunter2}\n  properties: {cpu_arch: x86_64}\n  ports: [{address: "52:54:00:ab:00:01"}]\n  portgroups: [{ports: [{address: "52:54:00:ab:00:02"}]}]\nchassis:\n- nodes: []\n',
	"install-config":
		'platform:\n  baremetal:\n    provisioningNetworkCIDR: 172.22.0.0/24\n    provisioningDHCPRange: 172.22.0.10,172.22.0.20\n    hosts:\n    - name: a\n      role: master\n      bmc: {address: "redfish://192.0.2.1", username: u, password: hunter2}\n      bootMACAddress: "52:54:00:ab:00:01"\n      rootDeviceHints: {deviceName: /dev/sda}\n      networkConfig: {interfaces: []}\npullSecret: hunter2\nsshKey: ssh-ed25519 AAAA x\n',
};

/** Part of every password above, in a form that damaged quotes and delimiters leave whole. */
export const PASSWORD_PART = "ter2";
