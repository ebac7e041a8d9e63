import test from "ava";
import { ironicText, lintText, summary } from "../../support/site-text.ts";

/** Title, `spec` of an Ironic from line 5 on, and what the linter says. */
type Case = readonly [title: string, spec: string, expected: readonly string[]];

/** One case or more for each of the 19 rules of the operator's webhook (v0.11.0), in its order. */
const OPERATOR_RULES: readonly Case[] = [
	[
		"1: HA without database",
		"  highAvailability: true",
		["warning ha-feature-gate 5:21", "error ha-without-database 5:21", "warning kept-for-target 5:21"],
	],
	[
		"3: database with empty fields",
		"  database:\n    credentialsName: ''\n    host: db\n    name: ''",
		["error database-incomplete 6:22", "error database-incomplete 8:11"],
	],
	["3: database without a field", "  database:\n    host: db\n    name: ironic", ["error missing-field 5:3"]],
	[
		"4: disableHostNetwork with what needs the host's network",
		"  networking:\n    disableHostNetwork: true\n    bindInterface: true\n    interface: eth1\n    ipAddress: 172.22.0.1\n    macAddresses: ['52:54:00:ab:00:01']\n    keepalived: {enabled: true}\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"warning kept-for-target 6:25",
			"error host-network-disabled 7:20",
			"error host-network-disabled 8:16",
			"error host-network-disabled 9:16",
			"error host-network-disabled 10:5",
			"error host-network-disabled 11:5",
			"warning kept-for-target 11:5",
			"error host-network-disabled 12:5",
		],
	],
	[
		"5: ipAddress and externalIP that are no addresses",
		"  networking:\n    ipAddress: 172.22.0.1/24\n    externalIP: ironic.example.com",
		["error ip-address-invalid 6:16", "error ip-address-invalid 7:17"],
	],
	[
		"6: externalIP with ingress and external URLs",
		"  networking:\n    externalIP: 203.0.113.5\n    ingress: {host: ironic.example.com}\n    externalCallbackURL: https://a.example.com\n    imageServerExternalURL: https://b.example.com",
		[
			"error external-address-twice 7:5",
			"warning kept-for-target 7:5",
			"error external-address-twice 8:26",
			"error external-address-twice 9:29",
		],
	],
	[
		"7: one external URL alone",
		"  networking:\n    externalCallbackURL: https://a.example.com",
		["error external-url-alone 6:26"],
	],
	[
		"7: the other external URL alone",
		"  networking:\n    imageServerExternalURL: https://a.example.com",
		["error external-url-alone 6:29"],
	],
	[
		"7: one external URL with ingress",
		"  networking:\n    externalCallbackURL: https://a.example.com\n    ingress: {host: a.example.com}",
		["warning kept-for-target 7:5"],
	],
	[
		"8: HA with ipAddress",
		"  highAvailability: true\n  database: {credentialsName: db, host: h, name: m}\n  networking:\n    ipAddress: 172.22.0.1",
		[
			"warning ha-feature-gate 5:21",
			"warning kept-for-target 5:21",
			"error secret-missing 6:31",
			"error ha-with-ip-address 8:16",
		],
	],
	[
		"9: HA with DHCP",
		"  highAvailability: true\n  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"warning ha-feature-gate 5:21",
			"error ha-without-database 5:21",
			"warning kept-for-target 5:21",
			"error ha-with-dhcp 8:5",
		],
	],
	[
		"9a: DHCP without an interface",
		"  networking:\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error dhcp-without-interface 6:5"],
	],
	[
		"9b, 9c: serveDNS with dnsAddress; addresses that are none",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      serveDNS: true\n      dnsAddress: ns.example.com\n      gatewayAddress: none",
		["error dhcp-dns-twice 12:19", "error ip-address-invalid 12:19", "error ip-address-invalid 13:23"],
	],
	[
		"9d: a part of the main range",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2",
		["error dhcp-range-incomplete 7:5"],
	],
	["9d: no range", "  networking:\n    interface: eth1\n    dhcp: {}", ["error dhcp-range-missing 7:5"]],
	[
		"9d: extra ranges alone are enough",
		"  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 10.1.0.0/24, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}",
		[],
	],
	[
		"9e: a network that is none",
		"  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 172.22.0.0, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error dhcp-network-invalid 7:25"],
	],
	[
		"9e: ends outside the network or no addresses",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.1.2\n      rangeEnd: last",
		["error dhcp-range-outside 9:19", "error ip-address-invalid 10:17"],
	],
	[
		"9e: a reversed range",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.9\n      rangeEnd: 172.22.0.2",
		["error dhcp-range-reversed 9:19"],
	],
	[
		"9e: ipAddress outside the network",
		"  networking:\n    ipAddress: 172.23.0.1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error ip-address-outside 6:16"],
	],
	[
		"9f: extra ranges with faults",
		"  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 0.0.0.0/0, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}\n      - {networkCIDR: nonsense, rangeBegin: 10.2.0.9, rangeEnd: 10.2.0.20}\n      - {networkCIDR: 10.3.0.0/24, rangeBegin: 10.3.0.20, rangeEnd: 10.3.0.9, gatewayAddress: 10.4.0.1}\n      - {networkCIDR: 'fd00::/64', rangeBegin: 'fd00::9', rangeEnd: 'fd00::20', gatewayAddress: 'fd00::1'}\n      - {networkCIDR: 10.5.0.0/24, rangeEnd: 10.5.0.20}\n      - {networkCIDR: 10.6.0.0/24, rangeBegin: 10.6.0.9, rangeEnd: 10.6.0.20, gatewayAddress: x}",
		["error missing-field 13:10"],
	],
	[
		"9f: extra ranges with faults that the schema does not see",
		"  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 0.0.0.0/0, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}\n      - {networkCIDR: nonsense, rangeBegin: 10.2.0.9, rangeEnd: 10.2.0.20}\n      - {networkCIDR: 10.3.0.0/24, rangeBegin: 10.3.0.20, rangeEnd: 10.3.0.9, gatewayAddress: 10.4.0.1}\n      - {networkCIDR: 'fd00::/64', rangeBegin: 'fd00::9', rangeEnd: 'fd00::20', gatewayAddress: 'fd00::1'}\n      - {networkCIDR: 10.6.0.0/24, rangeBegin: 10.6.0.9, rangeEnd: 10.6.0.20, gatewayAddress: x}",
		[
			"warning dhcp-without-announcement 7:5",
			"error dhcp-network-everything 9:23",
			"error dhcp-network-invalid 10:23",
			"error dhcp-range-reversed 11:48",
			"error dhcp-gateway-outside 11:95",
			"error dhcp-gateway-ipv6 12:97",
			"error ip-address-invalid 13:95",
		],
	],
	[
		"9g: pools that overlap",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/16\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.1.9\n      extraRanges:\n      - {networkCIDR: 172.22.1.0/24, rangeBegin: 172.22.1.9, rangeEnd: 172.22.1.20}\n      - {networkCIDR: 172.22.1.0/24, rangeBegin: 172.22.1.20, rangeEnd: 172.22.1.30}",
		[
			"error dhcp-ranges-overlap 12:50",
			"error dhcp-networks-overlap 13:23",
			"error dhcp-ranges-overlap 13:50",
		],
	],
	[
		"10: ipAddressManager keepalived with HA and without an address",
		"  highAvailability: true\n  database: {credentialsName: '', host: h, name: m}\n  networking:\n    interface: eth1\n    ipAddressManager: keepalived",
		[
			"warning ha-feature-gate 5:21",
			"warning kept-for-target 5:21",
			"error database-incomplete 6:31",
			"error keepalived-with-ha 9:23",
			"error keepalived-incomplete 9:23",
			"warning kept-for-target 9:23",
		],
	],
	[
		"11: keepalived twice, incomplete, with wrong addresses",
		"  networking:\n    ipAddress: 172.22.0.1\n    ipAddressManager: keepalived\n    keepalived:\n      enabled: true\n      additionalVIPs:\n      - {ipAddress: vip, interface: eth1}\n      - {ipAddress: 172.22.0.3, interface: eth1, prefix: 64}",
		[
			"error keepalived-twice 7:23",
			"warning kept-for-target 7:23",
			"error keepalived-incomplete 8:5",
			"warning kept-for-target 8:5",
			"error keepalived-vip-invalid 11:21",
			"error keepalived-vip-prefix 12:58",
		],
	],
	[
		"11: an additional VIP without interface",
		"  networking:\n    keepalived: {enabled: false, additionalVIPs: [{ipAddress: 172.22.0.3, interface: ''}]}",
		["error invalid-value 6:86"],
	],
	[
		"12: HA with a ServiceMonitor, even if not enabled",
		"  highAvailability: true\n  prometheusExporter: {enabled: false}",
		[
			"warning ha-feature-gate 5:21",
			"error ha-without-database 5:21",
			"warning kept-for-target 5:21",
			"error ha-with-service-monitor 6:3",
		],
	],
	[
		"13: an exporter's address that is none",
		"  prometheusExporter: {enabled: false, bindAddress: all}",
		["error exporter-address-invalid 5:53"],
	],
	[
		"13: an exporter on loopback",
		"  prometheusExporter: {enabled: true, bindAddress: '::1'}",
		["warning kept-for-target 5:3", "error exporter-unreachable 5:52"],
	],
	[
		"13: an exporter on loopback without ServiceMonitor",
		"  prometheusExporter: {enabled: true, bindAddress: 127.0.0.1, disableServiceMonitor: true}",
		["warning kept-for-target 5:3"],
	],
	[
		"14: HA needs a feature gate in the target",
		"  highAvailability: true\n  database: {credentialsName: '', host: h, name: m}",
		["warning ha-feature-gate 5:21", "warning kept-for-target 5:21", "error database-incomplete 6:31"],
	],
	[
		"15: insecureRPC without HA, also if false",
		"  tls: {insecureRPC: false}",
		["error insecure-rpc-without-ha 5:22"],
	],
	["16: a CA without name", "  tls:\n    bmcCA: {kind: Secret, name: ''}", ["error ca-name-missing 6:33"]],
	[
		"16: new and old CA references that disagree",
		"  tls:\n    bmcCA: {kind: ConfigMap, name: a}\n    bmcCAName: a\n    trustedCA: {kind: ConfigMap, name: b}\n    trustedCAName: c",
		[
			"error config-map-missing 6:36",
			"error ca-reference-conflict 7:16",
			"error config-map-missing 8:40",
			"error ca-reference-conflict 9:20",
		],
	],
	["17: a malformed version", "  version: v38", ["error version-invalid 5:12"]],
	["17: an unsupported version", "  version: '36.0'", ["error version-unsupported 5:12"]],
	["17: a version that YAML reads as a number", "  version: 38.0", ["error wrong-type 5:12"]],
	["17: a supported version", "  version: '38.0'", []],
	[
		"controller: extra ranges need Ironic 37.0",
		"  version: '35.0'\n  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 10.1.0.0/24, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}",
		["error extra-ranges-version 9:7"],
	],
	[
		"18: agent images",
		"  overrides:\n    agentImages:\n    - {kernel: 'ftp://h/k', initramfs: 'file://h/i'}\n    - {kernel: 'https://h/k', initramfs: 'oci://r/i'}\n    - {architecture: aarch64, kernel: 'file:///k', initramfs: 'http:///i'}",
		[
			"warning kept-for-target 5:3",
			"error agent-image-url 7:16",
			"error agent-image-url 7:40",
			"error agent-image-twice 8:8",
		],
	],
	[
		"18: an empty URL",
		"  overrides:\n    agentImages:\n    - {kernel: '', initramfs: 'file:///i'}",
		["error invalid-value 7:16"],
	],
	[
		"19: provider networks",
		"  networkingService:\n    enabled: true\n    providerNetworks:\n    - {type: idle, mode: access, nativeVLAN: 1, allowedVLANs: ['5']}\n    - {type: idle, mode: trunk, nativeVLAN: 1}\n    - {type: cleaning, mode: hybrid, nativeVLAN: 1, allowedVLANs: ['0', '4095', '7-7', '9-8', 'x', '1-4094']}",
		[
			"warning kept-for-target 5:3",
			"error provider-network-vlans 8:49",
			"error provider-network-vlans 9:8",
			"error provider-network-twice 9:14",
			"error vlan-invalid 10:68",
			"error vlan-invalid 10:73",
			"error vlan-invalid 10:81",
			"error vlan-invalid 10:88",
			"error vlan-invalid 10:95",
		],
	],
	[
		"19: provider networks that are not enabled",
		"  networkingService:\n    providerNetworks:\n    - {type: idle, mode: trunk, nativeVLAN: 1}",
		[],
	],
	[
		"19: an unknown mode",
		"  networkingService:\n    providerNetworks:\n    - {type: idle, mode: acess, nativeVLAN: 1}",
		["error invalid-value 7:26"],
	],
];

/** What the operator lets pass and a text alone can tell. */
const BEYOND: readonly Case[] = [
	[
		"ports above 65535",
		"  networking:\n    apiPort: 65536\n    rpcPort: 70000",
		["error port-out-of-range 6:14", "error port-out-of-range 7:14"],
	],
	["port 0 is the schema's", "  networking:\n    apiPort: 0", ["error invalid-value 6:14"]],
	[
		"equal ports",
		"  networking:\n    apiPort: 6180\n    imageServerTLSPort: 6180",
		["error port-twice 5:3", "error port-twice 7:25"],
	],
	["a port equal to a disabled service's is fine", "  networking:\n    apiPort: 6189", []],
	[
		"a port equal to an enabled exporter's",
		"  prometheusExporter: {enabled: true}\n  networking:\n    apiPort: 9608",
		["warning kept-for-target 5:3", "error port-twice 6:3"],
	],
	[
		"an ingress without host",
		"  networking:\n    ingress: {}",
		["error ingress-host-missing 6:5", "warning kept-for-target 6:5"],
	],
	[
		"ipAddress within the pool",
		"  networking:\n    ipAddress: 172.22.0.5\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error ip-address-in-pool 6:16"],
	],
	[
		"a gateway outside the network, or of the other family",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      gatewayAddress: fd00::1\n      extraRanges:\n      - {networkCIDR: 10.1.0.0/24, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20, gatewayAddress: 10.2.0.1}",
		["error dhcp-gateway-outside 11:23", "error dhcp-gateway-outside 13:95"],
	],
	[
		"the whole address space",
		"  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 0.0.0.0/0, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error dhcp-network-everything 7:25"],
	],
	[
		"the network's own and broadcast address",
		"  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.0, rangeEnd: 172.22.0.255}",
		["error dhcp-range-edge 7:52", "error dhcp-range-edge 7:74"],
	],
	[
		"families mixed",
		"  networking:\n    ipAddress: 172.22.0.1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      extraRanges:\n      - {networkCIDR: 'fd00::/64', rangeBegin: 'fd00::9', rangeEnd: 'fd00::20'}",
		["warning dhcp-without-announcement 7:5", "error dhcp-family-mix 12:23"],
	],
	[
		"an IPv6 site",
		"  networking:\n    ipAddress: fd00:1abc::1\n    dhcp: {networkCIDR: 'fd00:1abc::/64', rangeBegin: 'fd00:1abc::100', rangeEnd: 'fd00:1abc::150'}",
		["warning dhcp-without-announcement 7:5"],
	],
	[
		"dnsmasq entries",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      hosts: ['52:54:00:ab:00:01,172.22.0.20,cp-0,infinite', '52-54-00-ab-00-01,cp-0', '52:54:00:ab:00:01,172.22.0.300', 'a;b', '']\n      ignore: ['tag:!known', '52:54:00:*:*:*', 'id:x,[fd00::1]', 'a\\nb']",
		[
			"error dhcp-entry-invalid 11:62",
			"error dhcp-entry-invalid 11:88",
			"error dhcp-entry-invalid 11:122",
			"error dhcp-entry-invalid 11:129",
			"error dhcp-entry-invalid 12:30",
			"error dhcp-entry-invalid 12:48",
			"error dhcp-entry-invalid 12:66",
		],
	],
	[
		"MAC addresses in any spelling, but whole ones",
		"  networking:\n    macAddresses: ['52-54-00-AB-00-01', '52:54:00:ab:00', 'ff:ff:ff:ff:ff:ff']",
		["error mac-address-invalid 6:41", "error mac-address-invalid 6:59"],
	],
	[
		"an interface name that cannot be one",
		"  networking:\n    interface: enp0s31f6np0vf12345",
		["error interface-name-invalid 6:16"],
	],
	[
		"a private SSH key",
		"  deployRamdisk:\n    sshKey: |\n      -----BEGIN OPENSSH PRIVATE KEY-----\n      hunter2\n      -----END OPENSSH PRIVATE KEY-----",
		["error ssh-key-private 6:13"],
	],
	[
		"several SSH keys",
		"  deployRamdisk:\n    sshKey: |\n      ssh-ed25519 AAAA a\n      ssh-ed25519 BBBB b",
		["error ssh-key-many-lines 6:13"],
	],
	[
		"something else for an SSH key",
		"  deployRamdisk: {sshKey: /root/.ssh/id_rsa.pub}",
		["warning ssh-key-unknown 5:27"],
	],
	["an SSH public key", "  deployRamdisk: {sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH me@here'}", []],
	[
		"kernel parameters on several lines",
		"  deployRamdisk:\n    extraKernelParams: |\n      a=b\n      c=d",
		["error kernel-params-many-lines 6:24"],
	],
	[
		"extraConfig that is dropped, twice, or no option",
		"  extraConfig:\n  - {group: conductor, name: '', value: a}\n  - {name: debug, value: ''}\n  - {name: debug, value: 'true'}\n  - {group: DEFAULT, name: DEBUG, value: 'false'}\n  - {group: 'a]', name: b, value: c}\n  - {group: a, name: b, value: \"c\\nd = e\"}",
		[
			"warning extra-config-empty 6:6",
			"warning extra-config-empty 7:6",
			"warning extra-config-twice 9:6",
			"error extra-config-invalid 10:6",
			"error extra-config-invalid 11:6",
		],
	],
	[
		"what has no effect here is said, not dropped",
		"  nodeSelector: {a: b}\n  overrides: {labels: {a: b}}",
		["warning kept-for-target 5:3", "warning kept-for-target 6:3"],
	],
	["an empty Ironic", "  {}", []],
];

for (const [title, spec, expected] of [...OPERATOR_RULES, ...BEYOND])
	test(title, (t) => {
		const findings = lintText(ironicText(spec));
		t.deepEqual(summary(findings), [...expected]);
		for (const finding of findings) {
			t.is(finding.subject, "Ironic metal3/metal3");
			t.truthy(finding.fix);
			t.notRegex(JSON.stringify(finding), /hunter2/);
		}
	});

test("all 19 rules have a case (2, about changes, is in lint-change.test.ts)", (t) => {
	const numbers = new Set(OPERATOR_RULES.flatMap(([title]) => title.match(/^\d+/)?.map(Number) ?? []));
	t.deepEqual(
		[...numbers].sort((a, b) => a - b),
		[1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
	);
});

test("a message names field, what was seen, and what to do", (t) => {
	const [finding] = lintText(
		ironicText(
			"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.1.2\n      rangeEnd: 172.22.0.9",
		),
	);
	t.deepEqual(finding, {
		code: "dhcp-range-outside",
		severity: "error",
		subject: "Ironic metal3/metal3",
		where: { file: "site.yaml", line: 9, column: 19 },
		message: "`networking.dhcp.rangeBegin` is not in 172.22.0.0/24",
		seen: "172.22.1.2",
		fix: "give an address of 172.22.0.0/24",
	});
});
