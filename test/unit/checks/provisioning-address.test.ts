import test from "ava";
import { provisioningAddress } from "../../../src/checks/provisioning-address.ts";
import type { Site } from "../../../src/resources/site.ts";

const local = [
	{ interface: "eth0", mac: "52:54:00:00:00:01", address: "10.0.0.5", cidr: "10.0.0.5/24", family: "IPv4" },
	{ interface: "br-prov", mac: "52:54:00:00:00:02", address: "fd00::1", cidr: "fd00::1/64", family: "IPv6" },
	{
		interface: "br-prov",
		mac: "52:54:00:00:00:02",
		address: "172.22.0.1",
		cidr: "172.22.0.1/24",
		family: "IPv4",
	},
] as const;

function site(networking: object): Site {
	return {
		ironic: { metadata: { name: "ironic", namespace: "default" }, spec: { networking } },
		locate: (_object: unknown, path: readonly string[]) => ({ file: path.join("."), line: 7, column: 3 }),
	} as unknown as Site;
}

const found: readonly [string, object, string][] = [
	["an address", { ipAddress: "172.22.0.1" }, "br-prov 172.22.0.1/24"],
	[
		"an address and its interface",
		{ ipAddress: "172.22.0.1", interface: "br-prov" },
		"br-prov 172.22.0.1/24",
	],
	["an IPv6 address", { ipAddress: "fd00::1" }, "br-prov fd00::1/64"],
	["an interface: IPv4 first", { interface: "br-prov" }, "br-prov 172.22.0.1/24"],
	[
		"a MAC in capitals",
		{ macAddresses: ["52:54:00:00:00:99", "52:54:00:00:00:02".toUpperCase()] },
		"br-prov 172.22.0.1/24",
	],
];
for (const [title, networking, expected] of found)
	test(`the provisioning address is found by ${title}`, (t) => {
		const { interface: link, cidr } = provisioningAddress(site(networking), local);
		t.is(`${link} ${cidr}`, expected);
	});

const refused: readonly [string, object, RegExp, string][] = [
	[
		"an address the machine has not",
		{ ipAddress: "172.22.0.9" },
		/no interface .* 172\.22\.0\.9/,
		"spec.networking.ipAddress",
	],
	[
		"an address on another interface",
		{ ipAddress: "10.0.0.5", interface: "br-prov" },
		/not on br-prov but on eth0/,
		"spec.networking.interface",
	],
	[
		"an interface the machine has not",
		{ interface: "eth9" },
		/no interface eth9/,
		"spec.networking.interface",
	],
	["nothing named", {}, /neither ipAddress nor interface nor macAddresses/, "spec.networking"],
];
for (const [title, networking, message, field] of refused)
	test(`refused with its place: ${title}`, (t) => {
		const error = t.throws<Error & { where: { file: string }; seen: string }>(
			() => provisioningAddress(site(networking), local),
			{ code: "provisioning-address-missing", message },
		);
		t.is(error?.where.file, field);
		t.is(error?.seen, "eth0 10.0.0.5/24, br-prov fd00::1/64, br-prov 172.22.0.1/24");
	});
