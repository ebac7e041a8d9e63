import test from "ava";
import { BASE, hostText, lintText, summary } from "../../support/site-text.ts";

/** Title, `spec` of a host from line 24 on, and what the linter says. */
type Case = readonly [title: string, spec: string, expected: readonly string[]];

const BMC =
	"  bmc: {address: 'redfish-virtualmedia://192.0.2.10/redfish/v1/Systems/1', credentialsName: bmc}\n";
const MAC = "  bootMACAddress: 52:54:00:ab:00:01\n";
const bmc = (address: string) =>
	`  online: true\n${MAC}  bmc:\n    address: ${address}\n    credentialsName: bmc`;

const CASES: readonly Case[] = [
	["a host over virtual media", `  online: true\n${BMC}${MAC}`, []],
	["a host over PXE", bmc("redfish://192.0.2.10/redfish/v1/Systems/1"), []],
	["a host without spec fields that it needs", "  description: x", ["error missing-field 23:1"]],
	["a host without BMC", "  online: false", ["warning host-without-bmc 22:18"]],
	["an address without scheme", bmc("192.0.2.10"), ["warning bmc-address-no-scheme 27:14"]],
	["an address without host", bmc("redfish:///redfish/v1/Systems/1"), ["error bmc-address-invalid 27:14"]],
	[
		"an address with a mistyped scheme",
		bmc("redfish-virtualmeda://192.0.2.10/redfish/v1/Systems/1"),
		["error bmc-address-scheme 27:14"],
	],
	[
		"an address with a scheme that was removed",
		bmc("idrac://192.0.2.10"),
		["error bmc-address-scheme 27:14"],
	],
	[
		"an address with a password",
		bmc("redfish://admin:hunter2@192.0.2.10/redfish/v1/Systems/1"),
		["error bmc-address-userinfo 27:14"],
	],
	[
		"a path that names the manager",
		bmc("redfish://192.0.2.10/redfish/v1/Managers/1"),
		["error bmc-address-not-a-system 27:14"],
	],
	[
		"a path that names all systems",
		bmc("redfish://192.0.2.10/redfish/v1/Systems"),
		["error bmc-address-not-a-system 27:14"],
	],
	["a path of another form", bmc("redfish://192.0.2.10/proxy/1"), ["warning bmc-address-not-a-system 27:14"]],
	["no path: Ironic takes the only system", bmc("redfish://192.0.2.10"), []],
	["an empty address", bmc("''"), ["warning host-without-bmc 27:14"]],
	[
		"PXE without a MAC",
		"  online: true\n  bmc: {address: 'ipmi://192.0.2.10', credentialsName: bmc}",
		["warning boot-mac-unknown 25:18"],
	],
	[
		"libvirt without a MAC",
		"  online: true\n  bmc: {address: 'libvirt://192.0.2.10:6230', credentialsName: bmc}",
		["error boot-mac-missing 25:18"],
	],
	[
		"no inspection and no MAC",
		`  online: true\n  inspectionMode: disabled\n${BMC}`,
		["error boot-mac-missing 25:19"],
	],
	[
		"a MAC in another spelling than the CRD takes",
		`  online: true\n  bootMACAddress: 52-54-00-AB-00-01\n${BMC}`,
		["error invalid-value 25:19"],
	],
	[
		"a MAC of a group",
		`  online: true\n  bootMACAddress: 01:00:5e:00:00:01\n${BMC}`,
		["error boot-mac-invalid 25:19"],
	],
	[
		"secure boot over IPMI",
		`${bmc("ipmi://192.0.2.10")}\n  bootMode: UEFISecureBoot`,
		["error secure-boot-unsupported 29:13"],
	],
	[
		"hardware RAID over IPMI",
		`${bmc("ipmi://192.0.2.10")}\n  raid: {hardwareRAIDVolumes: [{level: '1'}]}`,
		["error raid-unsupported 29:10"],
	],
	[
		"firmware settings",
		`  online: true\n${BMC}${MAC}  firmware: {sriovEnabled: true}`,
		["error firmware-unsupported 27:3"],
	],
	[
		"an image without checksum",
		`  online: true\n${BMC}${MAC}  image: {url: 'http://172.22.0.1/i.qcow2'}`,
		["error image-checksum-missing 27:3"],
	],
	[
		"a live ISO without checksum",
		`  online: true\n${BMC}${MAC}  image: {url: 'http://172.22.0.1/i.iso', format: live-iso}`,
		[],
	],
	[
		"an OCI image without checksum",
		`  online: true\n${BMC}${MAC}  image: {url: 'oci://registry.example.com/i:1'}`,
		[],
	],
	[
		"a checksum of another algorithm",
		`  online: true\n${BMC}${MAC}  image: {url: 'http://h/i', checksumType: sha256, checksum: 97830b21ed272a3d854615beb54cf004}`,
		["error image-checksum-invalid 27:62"],
	],
	[
		"an MD5 checksum",
		`  online: true\n${BMC}${MAC}  image: {url: 'http://h/i', checksum: 97830b21ed272a3d854615beb54cf004}`,
		["warning image-checksum-md5 27:40"],
	],
	[
		"a checksum file",
		`  online: true\n${BMC}${MAC}  image: {url: 'http://h/i', checksum: 'http://h/i.sha256sum'}`,
		[],
	],
	[
		"an image that cannot be fetched",
		`  online: true\n${BMC}${MAC}  image: {url: /srv/i.qcow2, checksum: 'http://h/i.sha256sum'}`,
		["error image-url-invalid 27:16"],
	],
	[
		"an image for a host that is off",
		`  online: false\n${BMC}${MAC}  image: {url: 'oci://registry.example.com/i:1'}`,
		["warning image-while-offline 24:11"],
	],
	[
		"off, but must not be switched off",
		`  online: false\n  disablePowerOff: true\n${BMC}${MAC}`,
		["error power-off-disabled 25:20"],
	],
	[
		"a device name by id",
		`  online: true\n${BMC}${MAC}  rootDeviceHints: {deviceName: /dev/disk/by-id/x}`,
		["error root-device-name 27:33"],
	],
	[
		"a device name by path",
		`  online: true\n${BMC}${MAC}  rootDeviceHints: {deviceName: /dev/disk/by-path/x}`,
		[],
	],
	[
		"hardware and software RAID",
		`  online: true\n${BMC}${MAC}  raid: {hardwareRAIDVolumes: [{level: '1'}], softwareRAIDVolumes: [{level: '1'}]}`,
		["error raid-twice 27:3"],
	],
	[
		"RAID disks without controller, and another number of them",
		`  online: true\n${BMC}${MAC}  raid:\n    hardwareRAIDVolumes:\n    - {level: '1', physicalDisks: [a, b], numberOfPhysicalDisks: 3}`,
		["error raid-controller-missing 29:8", "error raid-disk-count 29:66"],
	],
	[
		"two root volumes",
		`  online: true\n${BMC}${MAC}  raid: {softwareRAIDVolumes: [{level: '1', rootVolume: true}, {level: '1', rootVolume: true}]}`,
		["error raid-root-volumes 27:10"],
	],
	["`null` RAID leaves it as it is", `  online: true\n${BMC}${MAC}  raid: {hardwareRAIDVolumes: null}`, []],
	[
		"a Secret in another namespace",
		`  online: true\n${BMC}${MAC}  userData: {name: bmc, namespace: elsewhere}`,
		["error secret-other-namespace 27:36"],
	],
	["a Secret without name", `  online: true\n${BMC}${MAC}  userData: {}`, ["error secret-name-missing 27:3"]],
	[
		"credentials without name",
		`  online: true\n${MAC}  bmc: {address: 'redfish://h', credentialsName: ''}`,
		["error secret-name-missing 26:50"],
	],
	[
		"Secrets that are missing",
		`  online: true\n  bmc: {address: 'redfish://h', credentialsName: a}\n${MAC}  userData: {name: b}\n  networkData: {name: c, namespace: metal3}\n  metaData: {name: d}\n  preprovisioningNetworkDataName: e\n  image: {url: 'oci://r/i', ociAuthSecretName: f}`,
		[
			"error secret-missing 25:50",
			"error secret-missing 27:20",
			"error secret-missing 28:23",
			"error secret-missing 29:20",
			"error secret-missing 30:35",
			"error secret-missing 31:48",
		],
	],
	[
		"a Secret without the key that is needed",
		`  online: true\n${BMC}${MAC}  userData: {name: bmc}`,
		["error secret-key-missing 15:18"],
	],
	["a misspelt field", `  online: true\n${BMC}${MAC}  rootDeviceHint: {}`, ["error unknown-field 27:3"]],
	["an unknown field that is empty", `  online: true\n${BMC}${MAC}  bar:`, ["error unknown-field 27:3"]],
	[
		"a field that is empty is one that is not there",
		`  online: true\n${BMC}${MAC}  image:\n  userData: ~`,
		[],
	],
	["yes is not true", `  online: yes\n${BMC}${MAC}`, ["warning yaml-yes-no 24:11", "error wrong-type 24:11"]],
];

for (const [title, spec, expected] of CASES)
	test(title, (t) => {
		const findings = lintText(BASE + hostText(spec));
		t.deepEqual(summary(findings), [...expected]);
		for (const finding of findings) {
			t.truthy(finding.fix);
			t.notRegex(JSON.stringify(finding), /hunter2|secret"/);
		}
	});

for (const [annotation, expected] of [
	["baremetalhost.metal3.io/status: 'not json'", ["error annotation-invalid 25:7"]],
	['baremetalhost.metal3.io/status: \'{"operationalStatus": "detach"}\'', ["error annotation-invalid 25:7"]],
	["baremetalhost.metal3.io/status: ''", []],
	["inspect.metal3.io: 'off'", ["error annotation-invalid 25:7"]],
	["inspect.metal3.io: ''", []],
	["inspect.metal3.io/hardwaredetails: '{}'", ["error annotation-invalid 25:7"]],
	['reboot.metal3.io: \'{"mode": "warm"}\'', ["error annotation-invalid 25:7"]],
	['reboot.metal3.io/me: \'{"mode": "hard"}\'', []],
	["baremetalhost.metal3.io/paused: anything", []],
	["ironstrap.io/virtual-media: http", []],
	["ironstrap.io/virtual-media: https", ["error virtual-media-unknown 25:7"]],
] as const)
	test(`annotation ${annotation}`, (t) => {
		const host = `apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata:\n  name: cp-0\n  namespace: metal3\n  annotations: {\n      ${annotation}\n  }\nspec:\n  online: true\n${BMC}`;
		// The annotation stands on line 26; a message about it points to the value.
		t.deepEqual(
			summary(lintText(BASE + host)).map((text) => text.replace(/ 26:\d+$/, " 25:7")),
			[...expected],
		);
	});

test("a host's name must not be a UUID", (t) => {
	const text = BASE + hostText(`  online: true\n${BMC}`, "5c9f4d9e-6d5e-4f9a-9f50-0d3a1d0f2b11");
	t.deepEqual(summary(lintText(text)), ["error host-name-uuid 22:18"]);
});

test("a boot MAC or BMC of two hosts is found whatever the spelling", (t) => {
	const host = (name: string, address: string, mac: string) =>
		hostText(
			`  online: true\n  bmc: {address: '${address}', credentialsName: bmc}\n  bootMACAddress: ${mac}`,
			name,
		);
	const text = `${BASE}${host("a", "redfish://H:443/redfish/v1/Systems/1", "52:54:00:AB:00:01")}---\n${host("b", "redfish-virtualmedia://h/redfish/v1/Systems/1/", "52:54:00:ab:00:01")}`;
	const findings = lintText(text);
	t.deepEqual(summary(findings), ["error bmc-address-twice 33:18", "error boot-mac-twice 34:19"]);
	t.is(findings[0]?.message, "`bmc.address` is that of BareMetalHost metal3/a too");
	t.is(findings[0]?.fix, "give each host its own; the other is at site.yaml:25:18");
});

test("the DHCP range must have an address for each host", (t) => {
	const base = BASE.replace("rangeEnd: 172.22.0.150", "rangeEnd: 172.22.0.101");
	const hosts = (scheme: string) =>
		[1, 2, 3]
			.map((n) =>
				hostText(
					`  online: true\n  bmc: {address: '${scheme}://192.0.2.1${n}', credentialsName: bmc}\n  bootMACAddress: 52:54:00:ab:00:0${n}`,
					`h${n}`,
				),
			)
			.join("---\n");
	t.deepEqual(summary(lintText(base + hosts("redfish"))), ["error dhcp-pool-too-small 8:5"]);
	t.deepEqual(summary(lintText(base + hosts("redfish-virtualmedia"))), ["warning dhcp-pool-too-small 8:5"]);
});

test("network boot without a DHCP server of ours is doubtful", (t) => {
	const base = BASE.replace(/ {4}dhcp:\n(?: {6}.*\n)+/, "");
	const findings = lintText(base + hostText(bmc("redfish://192.0.2.10")));
	t.deepEqual(
		findings.map(({ code }) => code),
		["network-boot-without-dhcp"],
	);
});
