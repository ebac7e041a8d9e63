import test from "ava";
import { ironicText, lintText, withMessages } from "../../support/site-text.ts";

/** Title, `spec` of an Ironic from line 5 on, and what the linter says. */
type Case = readonly [title: string, spec: string, expected: readonly string[]];

/** One case or more for each of the 19 rules of the operator's webhook (v0.11.0), in its order. */
const OPERATOR_RULES: readonly Case[] = [
	[
		"1: HA without database",
		"  highAvailability: true",
		[
			"warning ha-feature-gate 5:21: `highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
			"error ha-without-database 5:21: `highAvailability` needs `database`",
			"warning kept-for-target 5:21: `highAvailability` has no effect on this machine: one machine runs one Ironic; it is kept for the target cluster",
		],
	],
	[
		"3: database with empty fields",
		"  database:\n    credentialsName: ''\n    host: db\n    name: ''",
		[
			"error database-incomplete 6:22: `database.credentialsName` is empty",
			"error database-incomplete 8:11: `database.name` is empty",
		],
	],
	[
		"3: database without a field",
		"  database:\n    host: db\n    name: ironic",
		["error missing-field 5:3: `spec.database.credentialsName` is required"],
	],
	[
		"4: disableHostNetwork with what needs the host's network",
		"  networking:\n    disableHostNetwork: true\n    bindInterface: true\n    interface: eth1\n    ipAddress: 172.22.0.1\n    macAddresses: ['52:54:00:ab:00:01']\n    keepalived: {enabled: true}\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"warning kept-for-target 6:25: `networking.disableHostNetwork` has no effect on this machine: nothing but dnsmasq uses the host's network anyway; it is kept for the target cluster",
			"error host-network-disabled 7:20: `networking.bindInterface` needs the host's network, which `disableHostNetwork` forbids",
			"error host-network-disabled 8:16: `networking.interface` needs the host's network, which `disableHostNetwork` forbids",
			"error host-network-disabled 9:16: `networking.ipAddress` needs the host's network, which `disableHostNetwork` forbids",
			"error host-network-disabled 10:5: `networking.macAddresses` needs the host's network, which `disableHostNetwork` forbids",
			"error host-network-disabled 11:5: `networking.keepalived` needs the host's network, which `disableHostNetwork` forbids",
			"warning kept-for-target 11:5: `networking.keepalived` has no effect on this machine: the address must be on the interface already; it is kept for the target cluster",
			"error host-network-disabled 12:5: `networking.dhcp` needs the host's network, which `disableHostNetwork` forbids",
		],
	],
	[
		"5: ipAddress and externalIP that are no addresses",
		"  networking:\n    ipAddress: 172.22.0.1/24\n    externalIP: ironic.example.com",
		[
			"error ip-address-invalid 6:16: `networking.ipAddress` is not an IP address",
			"error ip-address-invalid 7:17: `networking.externalIP` is not an IP address",
		],
	],
	[
		"6: externalIP with ingress and external URLs",
		"  networking:\n    externalIP: 203.0.113.5\n    ingress: {host: ironic.example.com}\n    externalCallbackURL: https://a.example.com\n    imageServerExternalURL: https://b.example.com",
		[
			"error external-address-twice 7:5: `networking.ingress` and `networking.externalIP` exclude each other",
			"warning kept-for-target 7:5: `networking.ingress` has no effect on this machine: there is no ingress controller; it is kept for the target cluster",
			"error external-address-twice 8:26: `networking.externalCallbackURL` and `networking.externalIP` exclude each other",
			"error external-address-twice 9:29: `networking.imageServerExternalURL` and `networking.externalIP` exclude each other",
		],
	],
	[
		"7: one external URL alone",
		"  networking:\n    externalCallbackURL: https://a.example.com",
		[
			"error external-url-alone 6:26: `networking.externalCallbackURL` is given without `imageServerExternalURL`",
		],
	],
	[
		"7: the other external URL alone",
		"  networking:\n    imageServerExternalURL: https://a.example.com",
		[
			"error external-url-alone 6:29: `networking.imageServerExternalURL` is given without `externalCallbackURL`",
		],
	],
	[
		"7: one external URL with ingress",
		"  networking:\n    externalCallbackURL: https://a.example.com\n    ingress: {host: a.example.com}",
		[
			"warning kept-for-target 7:5: `networking.ingress` has no effect on this machine: there is no ingress controller; it is kept for the target cluster",
		],
	],
	[
		"8: HA with ipAddress",
		"  highAvailability: true\n  database: {credentialsName: db, host: h, name: m}\n  networking:\n    ipAddress: 172.22.0.1",
		[
			"warning ha-feature-gate 5:21: `highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
			"warning kept-for-target 5:21: `highAvailability` has no effect on this machine: one machine runs one Ironic; it is kept for the target cluster",
			"error secret-missing 6:31: Secret metal3/db, named by `database.credentialsName`, is not among the manifests",
			"error ha-with-ip-address 8:16: `networking.ipAddress` makes no sense with `highAvailability`",
		],
	],
	[
		"9: HA with DHCP",
		"  highAvailability: true\n  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"warning ha-feature-gate 5:21: `highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
			"error ha-without-database 5:21: `highAvailability` needs `database`",
			"warning kept-for-target 5:21: `highAvailability` has no effect on this machine: one machine runs one Ironic; it is kept for the target cluster",
			"error ha-with-dhcp 8:5: `networking.dhcp` does not work with `highAvailability`",
		],
	],
	[
		"9a: DHCP without an interface",
		"  networking:\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"error dhcp-without-interface 6:5: `networking.dhcp` needs one of `networking.interface`, `ipAddress` or `macAddresses`",
		],
	],
	[
		"9b, 9c: serveDNS with dnsAddress; addresses that are none",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      serveDNS: true\n      dnsAddress: ns.example.com\n      gatewayAddress: none",
		[
			"error dhcp-dns-twice 12:19: `networking.dhcp.dnsAddress` and `serveDNS` exclude each other",
			"error ip-address-invalid 12:19: `networking.dhcp.dnsAddress` is not an IP address",
			"error ip-address-invalid 13:23: `networking.dhcp.gatewayAddress` is not an IP address",
		],
	],
	[
		"9d: a part of the main range",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2",
		["error dhcp-range-incomplete 7:5: `networking.dhcp` has no `rangeEnd`"],
	],
	[
		"9d: no range",
		"  networking:\n    interface: eth1\n    dhcp: {}",
		["error dhcp-range-missing 7:5: `networking.dhcp` has no range of addresses"],
	],
	[
		"9d: extra ranges alone are enough",
		"  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 10.1.0.0/24, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}",
		[],
	],
	[
		"9e: a network that is none",
		"  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 172.22.0.0, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error dhcp-network-invalid 7:25: `networking.dhcp.networkCIDR` is not a network"],
	],
	[
		"9e: ends outside the network or no addresses",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.1.2\n      rangeEnd: last",
		[
			"error dhcp-range-outside 9:19: `networking.dhcp.rangeBegin` is not in 172.22.0.0/24",
			"error ip-address-invalid 10:17: `networking.dhcp.rangeEnd` is not an IP address",
		],
	],
	[
		"9e: a reversed range",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.9\n      rangeEnd: 172.22.0.2",
		["error dhcp-range-reversed 9:19: `networking.dhcp.rangeBegin` comes after `networking.dhcp.rangeEnd`"],
	],
	[
		"9e: ipAddress outside the network",
		"  networking:\n    ipAddress: 172.23.0.1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"error ip-address-outside 6:16: `networking.ipAddress` is not in `networking.dhcp.networkCIDR`, 172.22.0.0/24",
		],
	],
	[
		"9f: extra ranges with faults",
		"  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 0.0.0.0/0, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}\n      - {networkCIDR: nonsense, rangeBegin: 10.2.0.9, rangeEnd: 10.2.0.20}\n      - {networkCIDR: 10.3.0.0/24, rangeBegin: 10.3.0.20, rangeEnd: 10.3.0.9, gatewayAddress: 10.4.0.1}\n      - {networkCIDR: 'fd00::/64', rangeBegin: 'fd00::9', rangeEnd: 'fd00::20', gatewayAddress: 'fd00::1'}\n      - {networkCIDR: 10.5.0.0/24, rangeEnd: 10.5.0.20}\n      - {networkCIDR: 10.6.0.0/24, rangeBegin: 10.6.0.9, rangeEnd: 10.6.0.20, gatewayAddress: x}",
		["error missing-field 13:10: `spec.networking.dhcp.extraRanges[4].rangeBegin` is required"],
	],
	[
		"9f: extra ranges with faults that the schema does not see",
		"  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 0.0.0.0/0, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}\n      - {networkCIDR: nonsense, rangeBegin: 10.2.0.9, rangeEnd: 10.2.0.20}\n      - {networkCIDR: 10.3.0.0/24, rangeBegin: 10.3.0.20, rangeEnd: 10.3.0.9, gatewayAddress: 10.4.0.1}\n      - {networkCIDR: 'fd00::/64', rangeBegin: 'fd00::9', rangeEnd: 'fd00::20', gatewayAddress: 'fd00::1'}\n      - {networkCIDR: 10.6.0.0/24, rangeBegin: 10.6.0.9, rangeEnd: 10.6.0.20, gatewayAddress: x}",
		[
			"warning dhcp-without-announcement 7:5: IPv6 addresses are served, but servers ask for one only if a router of yours announces the network",
			"error dhcp-network-everything 9:23: `networking.dhcp.extraRanges[0].networkCIDR` is the whole address space",
			"error dhcp-network-invalid 10:23: `networking.dhcp.extraRanges[1].networkCIDR` is not a network",
			"error dhcp-range-reversed 11:48: `networking.dhcp.extraRanges[2].rangeBegin` comes after `networking.dhcp.extraRanges[2].rangeEnd`",
			"error dhcp-gateway-outside 11:95: `networking.dhcp.extraRanges[2].gatewayAddress` is not in 10.3.0.0/24, so no server could reach it",
			"error dhcp-gateway-ipv6 12:97: `networking.dhcp.extraRanges[3].gatewayAddress` is an IPv6 address; IPv6 routers announce themselves",
			"error ip-address-invalid 13:95: `networking.dhcp.extraRanges[4].gatewayAddress` is not an IP address",
		],
	],
	[
		"9g: pools that overlap",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/16\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.1.9\n      extraRanges:\n      - {networkCIDR: 172.22.1.0/24, rangeBegin: 172.22.1.9, rangeEnd: 172.22.1.20}\n      - {networkCIDR: 172.22.1.0/24, rangeBegin: 172.22.1.20, rangeEnd: 172.22.1.30}",
		[
			"error dhcp-ranges-overlap 12:50: the range 172.22.1.9 - 172.22.1.20 overlaps 172.22.0.2 - 172.22.1.9",
			"error dhcp-networks-overlap 13:23: the network 172.22.1.0/24 overlaps 172.22.0.0/16: servers of one would look for the other's on the wrong side",
			"error dhcp-ranges-overlap 13:50: the range 172.22.1.20 - 172.22.1.30 overlaps 172.22.1.9 - 172.22.1.20",
		],
	],
	[
		"10: ipAddressManager keepalived with HA and without an address",
		"  highAvailability: true\n  database: {credentialsName: '', host: h, name: m}\n  networking:\n    interface: eth1\n    ipAddressManager: keepalived",
		[
			"warning ha-feature-gate 5:21: `highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
			"warning kept-for-target 5:21: `highAvailability` has no effect on this machine: one machine runs one Ironic; it is kept for the target cluster",
			"error database-incomplete 6:31: `database.credentialsName` is empty",
			"error keepalived-with-ha 9:23: keepalived does not work with `highAvailability`",
			"error keepalived-incomplete 9:23: keepalived needs both `networking.ipAddress` and `networking.interface`",
			"warning kept-for-target 9:23: `networking.ipAddressManager` has no effect on this machine: the address must be on the interface already; it is kept for the target cluster",
		],
	],
	[
		"11: keepalived twice, incomplete, with wrong addresses",
		"  networking:\n    ipAddress: 172.22.0.1\n    ipAddressManager: keepalived\n    keepalived:\n      enabled: true\n      additionalVIPs:\n      - {ipAddress: vip, interface: eth1}\n      - {ipAddress: 172.22.0.3, interface: eth1, prefix: 64}",
		[
			"error keepalived-twice 7:23: `networking.ipAddressManager` and `networking.keepalived` exclude each other",
			"warning kept-for-target 7:23: `networking.ipAddressManager` has no effect on this machine: the address must be on the interface already; it is kept for the target cluster",
			"error keepalived-incomplete 8:5: keepalived needs both `networking.ipAddress` and `networking.interface`",
			"warning kept-for-target 8:5: `networking.keepalived` has no effect on this machine: the address must be on the interface already; it is kept for the target cluster",
			"error keepalived-vip-invalid 11:21: `networking.keepalived.additionalVIPs[0].ipAddress` is not an IP address",
			"error keepalived-vip-prefix 12:58: `networking.keepalived.additionalVIPs[1].prefix` is longer than an IPv4 address",
		],
	],
	[
		"11: an additional VIP without interface",
		"  networking:\n    keepalived: {enabled: false, additionalVIPs: [{ipAddress: 172.22.0.3, interface: ''}]}",
		["error invalid-value 6:86: `spec.networking.keepalived.additionalVIPs[0].interface` must not be empty"],
	],
	[
		"12: HA with a ServiceMonitor, even if not enabled",
		"  highAvailability: true\n  prometheusExporter: {enabled: false}",
		[
			"warning ha-feature-gate 5:21: `highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
			"error ha-without-database 5:21: `highAvailability` needs `database`",
			"warning kept-for-target 5:21: `highAvailability` has no effect on this machine: one machine runs one Ironic; it is kept for the target cluster",
			"error ha-with-service-monitor 6:3: `prometheusExporter` with a ServiceMonitor does not work with `highAvailability`, even if it is not enabled",
		],
	],
	[
		"13: an exporter's address that is none",
		"  prometheusExporter: {enabled: false, bindAddress: all}",
		["error exporter-address-invalid 5:53: `prometheusExporter.bindAddress` is not an IP address"],
	],
	[
		"13: an exporter on loopback",
		"  prometheusExporter: {enabled: true, bindAddress: '::1'}",
		[
			"warning kept-for-target 5:3: `prometheusExporter` has no effect on this machine: there is no Prometheus to ask it; it is kept for the target cluster",
			"error exporter-unreachable 5:52: `prometheusExporter.bindAddress` is loopback, which Prometheus cannot reach",
		],
	],
	[
		"13: an exporter on loopback without ServiceMonitor",
		"  prometheusExporter: {enabled: true, bindAddress: 127.0.0.1, disableServiceMonitor: true}",
		[
			"warning kept-for-target 5:3: `prometheusExporter` has no effect on this machine: there is no Prometheus to ask it; it is kept for the target cluster",
		],
	],
	[
		"14: HA needs a feature gate in the target",
		"  highAvailability: true\n  database: {credentialsName: '', host: h, name: m}",
		[
			"warning ha-feature-gate 5:21: `highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
			"warning kept-for-target 5:21: `highAvailability` has no effect on this machine: one machine runs one Ironic; it is kept for the target cluster",
			"error database-incomplete 6:31: `database.credentialsName` is empty",
		],
	],
	[
		"15: insecureRPC without HA, also if false",
		"  tls: {insecureRPC: false}",
		["error insecure-rpc-without-ha 5:22: `tls.insecureRPC` makes no sense without `highAvailability`"],
	],
	[
		"16: a CA without name",
		"  tls:\n    bmcCA: {kind: Secret, name: ''}",
		["error ca-name-missing 6:33: `tls.bmcCA.name` is empty"],
	],
	[
		"16: new and old CA references that disagree",
		"  tls:\n    bmcCA: {kind: ConfigMap, name: a}\n    bmcCAName: a\n    trustedCA: {kind: ConfigMap, name: b}\n    trustedCAName: c",
		[
			"error config-map-missing 6:36: ConfigMap metal3/a, named by `tls.bmcCA.name`, is not among the manifests",
			"error ca-reference-conflict 7:16: `tls.bmcCAName` (Secret a) and `tls.bmcCA` (ConfigMap a) disagree",
			"error config-map-missing 8:40: ConfigMap metal3/b, named by `tls.trustedCA.name`, is not among the manifests",
			"error ca-reference-conflict 9:20: `tls.trustedCAName` (ConfigMap c) and `tls.trustedCA` (ConfigMap b) disagree",
		],
	],
	[
		"17: a malformed version",
		"  version: v38",
		["error version-invalid 5:12: `version` must be `latest` or MAJOR.MINOR"],
	],
	[
		"17: an unsupported version",
		"  version: '36.0'",
		["error version-unsupported 5:12: Ironic 36.0 is not supported by ironic-standalone-operator v0.11.0"],
	],
	[
		"17: a version that YAML reads as a number",
		"  version: 38.0",
		["error wrong-type 5:12: `spec.version` must be a text, not a number"],
	],
	["17: a supported version", "  version: '38.0'", []],
	[
		"controller: extra ranges need Ironic 37.0",
		"  version: '35.0'\n  networking:\n    interface: eth1\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 10.1.0.0/24, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20}",
		["error extra-ranges-version 9:7: `networking.dhcp.extraRanges` needs Ironic 37.0 or newer"],
	],
	[
		"18: agent images",
		"  overrides:\n    agentImages:\n    - {kernel: 'ftp://h/k', initramfs: 'file://h/i'}\n    - {kernel: 'https://h/k', initramfs: 'oci://r/i'}\n    - {architecture: aarch64, kernel: 'file:///k', initramfs: 'http:///i'}",
		[
			"warning kept-for-target 5:3: `overrides` has no effect on this machine: there are no pods to change; it is kept for the target cluster",
			"error agent-image-url 7:16: `overrides.agentImages[0].kernel` has the protocol ftp://, which Ironic cannot fetch",
			"error agent-image-url 7:40: `overrides.agentImages[0].initramfs` must name an absolute path: file:///…",
			"error agent-image-twice 8:8: `overrides.agentImages[1]` is for the default architecture, as `agentImages[0]` is",
		],
	],
	[
		"18: an empty URL",
		"  overrides:\n    agentImages:\n    - {kernel: '', initramfs: 'file:///i'}",
		["error invalid-value 7:16: `spec.overrides.agentImages[0].kernel` must be a URL"],
	],
	[
		"19: provider networks",
		"  networkingService:\n    enabled: true\n    providerNetworks:\n    - {type: idle, mode: access, nativeVLAN: 1, allowedVLANs: ['5']}\n    - {type: idle, mode: trunk, nativeVLAN: 1}\n    - {type: cleaning, mode: hybrid, nativeVLAN: 1, allowedVLANs: ['0', '4095', '7-7', '9-8', 'x', '1-4094']}",
		[
			"warning kept-for-target 5:3: `networkingService` has no effect on this machine: switches are not configured from here; it is kept for the target cluster",
			"error provider-network-vlans 8:49: `networkingService.providerNetworks[0]` has `allowedVLANs`, which mode access does not have",
			"error provider-network-vlans 9:8: `networkingService.providerNetworks[1]` has no `allowedVLANs`, which mode trunk needs",
			"error provider-network-twice 9:14: `networkingService.providerNetworks[1]` is a second network of type idle",
			"error vlan-invalid 10:68: `networkingService.providerNetworks[2].allowedVLANs[0]` is neither a VLAN nor a range of VLANs",
			"error vlan-invalid 10:73: `networkingService.providerNetworks[2].allowedVLANs[1]` is neither a VLAN nor a range of VLANs",
			"error vlan-invalid 10:81: `networkingService.providerNetworks[2].allowedVLANs[2]` is neither a VLAN nor a range of VLANs",
			"error vlan-invalid 10:88: `networkingService.providerNetworks[2].allowedVLANs[3]` is neither a VLAN nor a range of VLANs",
			"error vlan-invalid 10:95: `networkingService.providerNetworks[2].allowedVLANs[4]` is neither a VLAN nor a range of VLANs",
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
		[
			"error invalid-value 7:26: `spec.networkingService.providerNetworks[0].mode` must be one of access, trunk, hybrid",
		],
	],
];

/** What the operator lets pass and a text alone can tell. */
const BEYOND: readonly Case[] = [
	[
		"ports above 65535",
		"  networking:\n    apiPort: 65536\n    rpcPort: 70000",
		[
			"error port-out-of-range 6:14: `networking.apiPort` is not a port",
			"error port-out-of-range 7:14: `networking.rpcPort` is not a port",
		],
	],
	[
		"port 0 is the schema's",
		"  networking:\n    apiPort: 0",
		["error invalid-value 6:14: `spec.networking.apiPort` must be at least 1"],
	],
	[
		"equal ports",
		"  networking:\n    apiPort: 6180\n    imageServerTLSPort: 6180",
		[
			"error port-twice 5:3: `networking.imageServerPort` and `networking.apiPort` are the same port",
			"error port-twice 7:25: `networking.imageServerTLSPort` and `networking.apiPort` are the same port",
		],
	],
	["a port equal to a disabled service's is fine", "  networking:\n    apiPort: 6189", []],
	[
		"a port equal to an enabled exporter's",
		"  prometheusExporter: {enabled: true}\n  networking:\n    apiPort: 9608",
		[
			"warning kept-for-target 5:3: `prometheusExporter` has no effect on this machine: there is no Prometheus to ask it; it is kept for the target cluster",
			"error port-twice 6:3: `networking.prometheusExporterPort` and `networking.apiPort` are the same port",
		],
	],
	[
		"an ingress without host",
		"  networking:\n    ingress: {}",
		[
			"error ingress-host-missing 6:5: `networking.ingress.host` is empty: Ironic would tell servers to call back `https://`",
			"warning kept-for-target 6:5: `networking.ingress` has no effect on this machine: there is no ingress controller; it is kept for the target cluster",
		],
	],
	[
		"ipAddress within the pool",
		"  networking:\n    ipAddress: 172.22.0.5\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		[
			"error ip-address-in-pool 6:16: `networking.ipAddress` lies in the DHCP range: a server would be given this machine's address",
		],
	],
	[
		"a gateway outside the network, or of the other family",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      gatewayAddress: fd00::1\n      extraRanges:\n      - {networkCIDR: 10.1.0.0/24, rangeBegin: 10.1.0.9, rangeEnd: 10.1.0.20, gatewayAddress: 10.2.0.1}",
		[
			"error dhcp-gateway-outside 11:23: `networking.dhcp.gatewayAddress` is not in 172.22.0.0/24, so no server could reach it",
			"error dhcp-gateway-outside 13:95: `networking.dhcp.extraRanges[0].gatewayAddress` is not in 10.1.0.0/24, so no server could reach it",
		],
	],
	[
		"the whole address space",
		"  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 0.0.0.0/0, rangeBegin: 172.22.0.2, rangeEnd: 172.22.0.9}",
		["error dhcp-network-everything 7:25: `networking.dhcp.networkCIDR` is the whole address space"],
	],
	[
		"the network's own and broadcast address",
		"  networking:\n    interface: eth1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.0, rangeEnd: 172.22.0.255}",
		[
			"error dhcp-range-edge 7:52: the range contains 172.22.0.0, the network address of 172.22.0.0/24",
			"error dhcp-range-edge 7:74: the range contains 172.22.0.255, the broadcast address of 172.22.0.0/24",
		],
	],
	[
		"families mixed",
		"  networking:\n    ipAddress: 172.22.0.1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      extraRanges:\n      - {networkCIDR: 'fd00::/64', rangeBegin: 'fd00::9', rangeEnd: 'fd00::20'}",
		[
			"warning dhcp-without-announcement 7:5: IPv6 addresses are served, but servers ask for one only if a router of yours announces the network",
			"error dhcp-family-mix 12:23: an IPv6 range with the IPv4 provisioning address 172.22.0.1: its servers would get no boot options",
		],
	],
	[
		"an IPv6 site",
		"  networking:\n    ipAddress: fd00:1abc::1\n    dhcp: {networkCIDR: 'fd00:1abc::/64', rangeBegin: 'fd00:1abc::100', rangeEnd: 'fd00:1abc::150'}",
		[
			"warning dhcp-without-announcement 7:5: IPv6 addresses are served, but servers ask for one only if a router of yours announces the network",
		],
	],
	[
		"dnsmasq entries",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.2\n      rangeEnd: 172.22.0.9\n      hosts: ['52:54:00:ab:00:01,172.22.0.20,cp-0,infinite', '52-54-00-ab-00-01,cp-0', '52:54:00:ab:00:01,172.22.0.300', 'a;b', '']\n      ignore: ['tag:!known', '52:54:00:*:*:*', 'id:x,[fd00::1]', 'a\\nb']",
		[
			"error dhcp-entry-invalid 11:62: `networking.dhcp.hosts[1]` has 52-54-00-ab-00-01, which is not a MAC address",
			"error dhcp-entry-invalid 11:88: `networking.dhcp.hosts[2]` has 172.22.0.300, which is not an IP address",
			"error dhcp-entry-invalid 11:122: `networking.dhcp.hosts[3]` contains a line end or `;`",
			"error dhcp-entry-invalid 11:129: `networking.dhcp.hosts[4]` is empty",
			'error dhcp-entry-invalid 12:30: `networking.dhcp.ignore[1]` has "52:54:00:*:*:*", which is not a tag',
			'error dhcp-entry-invalid 12:48: `networking.dhcp.ignore[2]` has "id:x", which is not a tag',
			'error dhcp-entry-invalid 12:66: `networking.dhcp.ignore[3]` contains `"`, `#` or `\\`, which dnsmasq would interpret',
		],
	],
	[
		"MAC addresses in any spelling, but whole ones",
		"  networking:\n    macAddresses: ['52-54-00-AB-00-01', '52:54:00:ab:00', 'ff:ff:ff:ff:ff:ff']",
		[
			"error mac-address-invalid 6:41: `networking.macAddresses[1]` is not the address of a network interface",
			"error mac-address-invalid 6:59: `networking.macAddresses[2]` is not the address of a network interface",
		],
	],
	[
		"an interface name that cannot be one",
		"  networking:\n    interface: enp0s31f6np0vf12345",
		["error interface-name-invalid 6:16: `networking.interface` cannot be the name of a network interface"],
	],
	[
		"a private SSH key",
		"  deployRamdisk:\n    sshKey: |\n      -----BEGIN OPENSSH PRIVATE KEY-----\n      hunter2\n      -----END OPENSSH PRIVATE KEY-----",
		["error ssh-key-private 6:13: `deployRamdisk.sshKey` is a private key; every server would be told it"],
	],
	[
		"several SSH keys",
		"  deployRamdisk:\n    sshKey: |\n      ssh-ed25519 AAAA a\n      ssh-ed25519 BBBB b",
		[
			"error ssh-key-many-lines 6:13: `deployRamdisk.sshKey` has several lines; it goes to the kernel command line, which takes one key",
		],
	],
	[
		"something else for an SSH key",
		"  deployRamdisk: {sshKey: /root/.ssh/id_rsa.pub}",
		["warning ssh-key-unknown 5:27: `deployRamdisk.sshKey` does not look like an OpenSSH public key"],
	],
	["an SSH public key", "  deployRamdisk: {sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH me@here'}", []],
	[
		"kernel parameters on several lines",
		"  deployRamdisk:\n    extraKernelParams: |\n      a=b\n      c=d",
		[
			"error kernel-params-many-lines 6:24: `deployRamdisk.extraKernelParams` has several lines, but is one kernel command line",
		],
	],
	[
		"extraConfig that is dropped, twice, or no option",
		"  extraConfig:\n  - {group: conductor, name: '', value: a}\n  - {name: debug, value: ''}\n  - {name: debug, value: 'true'}\n  - {group: DEFAULT, name: DEBUG, value: 'false'}\n  - {group: 'a]', name: b, value: c}\n  - {group: a, name: b, value: \"c\\nd = e\"}",
		[
			"warning extra-config-empty 6:6: `extraConfig[0]` has no `name`; the operator skips it without a word",
			"warning extra-config-empty 7:6: `extraConfig[1]` has no `value`; the operator skips it without a word",
			"warning extra-config-twice 9:6: [default]debug is set twice; the last one counts",
			"error extra-config-invalid 10:6: `extraConfig[4]` cannot be written to ironic.conf",
			"error extra-config-invalid 11:6: `extraConfig[5]` cannot be written to ironic.conf",
		],
	],
	[
		"what has no effect here is said, not dropped",
		"  nodeSelector: {a: b}\n  overrides: {labels: {a: b}}",
		[
			"warning kept-for-target 5:3: `nodeSelector` has no effect on this machine: there are no nodes to choose from; it is kept for the target cluster",
			"warning kept-for-target 6:3: `overrides` has no effect on this machine: there are no pods to change; it is kept for the target cluster",
		],
	],
	["an empty Ironic", "  {}", []],
];

for (const [title, spec, expected] of [...OPERATOR_RULES, ...BEYOND])
	test(title, (t) => {
		const findings = lintText(ironicText(spec));
		t.deepEqual(withMessages(findings), [...expected]);
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
