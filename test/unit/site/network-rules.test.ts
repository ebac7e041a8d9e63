import test from "ava";
import { hostText, ironicText, lintText, summary } from "../../support/site-text.ts";

/** Title, `spec` of an Ironic from line 5 on, and what the linter says. */
const IRONIC: readonly (readonly [title: string, spec: string, expected: readonly string[]])[] = [
	[
		"addresses that somebody has already lie in the range",
		"  networking:\n    interface: eth1\n    externalIP: 172.22.0.11\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.10\n      rangeEnd: 172.22.0.20\n      gatewayAddress: 172.22.0.12\n      dnsAddress: 172.22.0.13",
		["error address-in-pool 7:17", "error address-in-pool 12:23", "error address-in-pool 13:19"],
	],
	[
		"the same outside the range",
		"  networking:\n    interface: eth1\n    externalIP: 172.22.0.1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.10\n      rangeEnd: 172.22.0.20\n      gatewayAddress: 172.22.0.2\n      dnsAddress: 172.22.0.21",
		[],
	],
	[
		"the gateway of a further range, and a VIP",
		"  networking:\n    interface: eth1\n    ipAddress: 172.22.0.1\n    keepalived: {enabled: true, additionalVIPs: [{interface: eth1, ipAddress: 172.22.1.20}, {interface: eth1, ipAddress: 172.22.0.1}]}\n    dhcp:\n      extraRanges:\n      - {networkCIDR: 172.22.1.0/24, rangeBegin: 172.22.1.9, rangeEnd: 172.22.1.20, gatewayAddress: 172.22.1.9}",
		[
			"warning kept-for-target 8:5",
			"error address-in-pool 8:79",
			"error keepalived-vip-twice 8:122",
			"error address-in-pool 11:101",
		],
	],
	[
		"one network is a part of the other",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/16\n      rangeBegin: 172.22.0.10\n      rangeEnd: 172.22.0.20\n      extraRanges:\n      - {networkCIDR: 172.22.1.0/24, rangeBegin: 172.22.1.9, rangeEnd: 172.22.1.20}",
		["error dhcp-networks-overlap 12:23"],
	],
	[
		"two ranges of one network",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: 172.22.0.0/24\n      rangeBegin: 172.22.0.10\n      rangeEnd: 172.22.0.20\n      extraRanges:\n      - {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.30, rangeEnd: 172.22.0.40}",
		[],
	],
	[
		"an IPv6 network that dnsmasq refuses",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: fd00::/56\n      rangeBegin: fd00::10\n      rangeEnd: fd00::20",
		["warning dhcp-without-announcement 7:5", "error dhcp-prefix-short 8:20"],
	],
	[
		"an IPv6 network in which SLAAC does not work",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: fd00::/120\n      rangeBegin: fd00::10\n      rangeEnd: fd00::20",
		["warning dhcp-without-announcement 7:5", "warning dhcp-prefix-long 8:20"],
	],
	[
		"an IPv6 network that both can serve",
		"  networking:\n    interface: eth1\n    dhcp:\n      networkCIDR: fd00::/64\n      rangeBegin: fd00::10\n      rangeEnd: fd00::20",
		["warning dhcp-without-announcement 7:5"],
	],
];

for (const [title, spec, expected] of IRONIC)
	test(title, (t) => t.deepEqual(summary(lintText(ironicText(spec))), [...expected]));

const SITE = `${ironicText("  networking: {interface: eth1, ipAddress: 172.22.0.1, dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.100, rangeEnd: 172.22.0.150}}")}
---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata: {name: metal3}
spec: {bridgeSubnet: 10.89.77.0/24}
---
apiVersion: v1
kind: Secret
metadata: {name: bmc, namespace: metal3}
stringData: {username: admin, password: secret}
---
`;
const address = (text: string) =>
	SITE +
	hostText(
		`  online: true\n  bootMACAddress: 52:54:00:ab:00:01\n  bmc: {address: '${text}', credentialsName: bmc}`,
	);

const BMCS: readonly (readonly [address: string, expected: readonly string[]])[] = [
	["redfish://172.22.0.100/redfish/v1/Systems/1", ["error bmc-address-in-pool 23:18"]],
	["ipmi://172.22.0.150:623", ["error bmc-address-in-pool 23:18"]],
	["redfish://172.22.0.99/redfish/v1/Systems/1", []],
	["redfish://10.89.77.20/redfish/v1/Systems/1", ["error bmc-address-in-bridge 23:18"]],
	["redfish://172.22.0.1/redfish/v1/Systems/1", ["error bmc-address-is-ours 23:18"]],
	["redfish+http://172.22.0.1:8000/redfish/v1/Systems/1", []],
	["redfish://bmc.example/redfish/v1/Systems/1", []],
];

for (const [text, expected] of BMCS)
	test(`a BMC at ${text}`, (t) => t.deepEqual(summary(lintText(address(text))), [...expected]));
