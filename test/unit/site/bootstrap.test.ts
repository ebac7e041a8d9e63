import test from "ava";
import { targetIronic } from "../../../src/resources/target-ironic.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { ironicText, lintText, summary } from "../../support/site-text.ts";

const bootstrap = (spec: string, name = "lab") =>
	`---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: ${name}}\nspec:\n${spec}\n`;
const IRONIC = `${ironicText("  networking: {interface: eth1, ipAddress: 172.22.0.1, dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.9, rangeEnd: 172.22.0.20}}")}\n`;
const site = (spec: string, ironic = IRONIC) =>
	assembleSite(parseDocuments(ironic + bootstrap(spec), "f").documents);

/** `spec` from line 11 on. */
for (const [title, spec, expected] of [
	["everything defaulted", "  {}", []],
	["durations", "  deadlines: {inspect: 45m, power: 1h30m}", []],
	[
		"durations that are none",
		"  deadlines: {inspect: 45, power: soon, stack: 0s}",
		["error wrong-type 11:24", "error invalid-value 11:35", "error invalid-value 11:48"],
	],
	[
		"a ramdisk without initramfs, a relative path",
		"  deployRamdisk: {kernel: ipa.kernel}",
		["error missing-field 11:3", "error invalid-value 11:27"],
	],
	[
		"an engine that is none",
		"  engine: {kind: dokcer, socket: run/docker.sock}",
		["error invalid-value 11:18", "error invalid-value 11:34"],
	],
	["addresses for the API", "  api: {listen: [192.0.2.1, eth0]}", ["error ip-address-invalid 11:29"]],
	["a bridge subnet that is none", "  bridgeSubnet: 10.89.77.0", ["error bridge-subnet-invalid 11:17"]],
	[
		"a bridge subnet that is too small",
		"  bridgeSubnet: 10.89.77.0/29",
		["error bridge-subnet-invalid 11:17"],
	],
	[
		"a bridge subnet on the provisioning network",
		"  bridgeSubnet: 172.22.0.128/25",
		["error bridge-subnet-overlap 11:17"],
	],
	[
		"a fence that names networks and hosts",
		"  fence: {servers: [10.1.0.0/16, 192.0.2.1], allow: [images.example.org, 'fd00::/64', 10.0.0.1]}",
		[],
	],
	[
		"a fence that names something else",
		"  fence: {servers: [images.example.org], allow: ['https://a.example', 10.0.0.300, '10.0.0.1; drop']}",
		[
			"error fence-network-invalid 11:21",
			"error fence-allow-invalid 11:50",
			"error fence-allow-invalid 11:71",
			"error fence-allow-invalid 11:83",
		],
	],
	["a fence of no mode", "  fence: {mode: isolated}", ["error invalid-value 11:17"]],
	["DHCP beside another server, or none at all", "  dhcp: {mode: proxy, routerAdvertisements: never}", []],
	["a DHCP mode that is none", "  dhcp: {mode: relay}", ["error invalid-value 11:16"]],
	[
		"reservations only, of which there are none",
		"  dhcp: {mode: reservations}",
		["error dhcp-reservations-none 11:16"],
	],
	[
		"a proxy, and who is reached without it",
		"  proxy: {http: 'http://proxy.example.org:3128', noProxy: [.example.org, 10.0.0.0/8, a.b]}",
		[],
	],
	[
		"a proxy that is none, one with a password, and exceptions that are none",
		"  proxy: {http: 'socks5://p:1', https: 'http://u:p@p:1', noProxy: ['http://x', '*']}",
		[
			"error proxy-invalid 11:17",
			"error proxy-credentials 11:40",
			"error proxy-exception-invalid 11:68",
			"error proxy-exception-invalid 11:80",
		],
	],
	[
		"time servers",
		"  ntpServers: [172.22.0.9, ntp.example.org, 'ntp://x']",
		["error ntp-server-invalid 11:45"],
	],
	["a field that is none", "  target: {irnic: {}}", ["error unknown-field 11:12"]],
] as const)
	test(title, (t) => {
		t.deepEqual(summary(lintText(IRONIC + bootstrap(spec))), [...expected]);
	});

test("a DHCP mode that needs a network, without one", (t) => {
	const without = ironicText("  networking: {interface: eth1, ipAddress: 172.22.0.1}");
	for (const mode of ["full", "reservations"])
		t.deepEqual(summary(lintText(`${without}\n${bootstrap(`  dhcp: {mode: ${mode}}`)}`)), [
			"error dhcp-mode-without-network 11:16",
		]);
});

test("the site is named after Bootstrap, and the name must suit all that is named after it", (t) => {
	t.is(site("  {}").site.name, "lab");
	t.deepEqual(summary(lintText(IRONIC + bootstrap("  {}", "a.b"))), ["error site-name 9:18"]);
	t.deepEqual(summary(lintText(IRONIC.replace("name: metal3,", "name: metal3.example.com,"))), [
		"error site-name 3:18",
	]);
});

test("a second Ironic or Bootstrap is one too many; the same twice is a repetition", (t) => {
	t.deepEqual(summary(lintText(IRONIC + bootstrap("  {}") + bootstrap("  {}", "other"))), [
		"error bootstrap-more-than-one 15:18",
	]);
	t.deepEqual(summary(lintText(`${IRONIC}---\n${IRONIC}`)), ["error object-twice 9:18"]);
	t.deepEqual(summary(lintText(`${IRONIC}---\n${IRONIC.replace("name: metal3,", "name: b,")}`)), [
		"error ironic-more-than-one 9:18",
	]);
});

test("images.ironic of the Ironic wins, which is said if both are given", (t) => {
	const ironic = ironicText("  images: {ironic: 'quay.io/metal3-io/ironic:release-38.0'}\n");
	const silent = site("  images: {mariadb: 'example.com/db:1'}", ironic);
	t.deepEqual(silent.site.bootstrap.spec.images, {
		ironic: "quay.io/metal3-io/ironic:release-38.0",
		mariadb: "example.com/db:1",
	});
	t.deepEqual(silent.warnings, []);
	const loud = site("  images: {ironic: 'example.com/ironic:1'}", ironic);
	t.is(loud.site.bootstrap.spec.images.ironic, "quay.io/metal3-io/ironic:release-38.0");
	t.deepEqual(summary(loud.warnings), ["warning image-overridden 11:20"]);
});

test("the target's Ironic is the site's with Bootstrap's changes; null removes a field", (t) => {
	const { site: loaded } = site(
		"  target:\n    ironic:\n      networking: {interface: null, dhcp: ~, keepalived: {enabled: false}}\n      highAvailability: false",
	);
	const target = targetIronic(loaded.ironic, loaded.bootstrap);
	const { interface: _, dhcp, ...rest } = loaded.ironic.spec.networking;
	t.truthy(dhcp);
	t.deepEqual(target.spec.networking, { ...rest, keepalived: { enabled: false } });
	t.is(target.metadata.name, "metal3");
	t.is(loaded.ironic.spec.networking.interface, "eth1");
});

test("what the target's operator would refuse is found now, where it is written", (t) => {
	const text =
		IRONIC +
		bootstrap(
			"  target:\n    ironic:\n      networking: {ipAdress: 10.0.0.1, apiPort: x}\n      highAvailability: 'yes'",
		);
	t.deepEqual(summary(lintText(text)), [
		"error unknown-field 13:20",
		"error wrong-type 13:49",
		"error wrong-type 14:25",
	]);
	const rules =
		IRONIC +
		bootstrap(
			"  target:\n    ironic:\n      networking: {interface: null, ipAddress: 10.0.0.1}\n      version: '1.0'",
		);
	const findings = lintText(rules);
	t.deepEqual(summary(findings), ["error ip-address-outside 13:48", "error version-unsupported 14:16"]);
	t.is(findings[0]?.subject, "Bootstrap default/lab (Ironic of the target)");
});

test("faults of the site's own Ironic are not repeated for the target", (t) => {
	const text = `${ironicText("  version: '1.0'\n")}${bootstrap("  target: {ironic: {nodeSelector: {a: b}}}")}`;
	t.deepEqual(summary(lintText(text)), ["error version-unsupported 5:12"]);
});
