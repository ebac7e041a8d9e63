import test from "ava";
import { type Fence, renderFence } from "../../../src/fence/fence.ts";
import type { FenceInputs } from "../../../src/fence/plan.ts";
import { hostManifest, provisioningNetwork, type SiteParts, siteOf } from "../stack/fixture.ts";
import { fenceInputs, linesOf } from "./_inputs.ts";

function fence(parts: SiteParts = {}, changes: Partial<FenceInputs> = {}): Fence {
	const rendered = renderFence(siteOf(parts), fenceInputs(changes));
	if (rendered === undefined) throw new Error("no fence");
	return rendered;
}

const networking = (changes: object) => ({ ironic: { networking: { ...provisioningNetwork, ...changes } } });

test("the whole way in: bridge, containers, published ports, services", (t) => {
	t.deepEqual(linesOf(fence().text, "chain entry"), [
		"type filter hook prerouting priority raw; policy accept;",
		'iifname "lo" accept',
		'iifname "is-8270e6d7" ip daddr 127.0.0.0/8 goto refuse_loopback',
		'iifname "is-8270e6d7" accept',
		"ip daddr 10.89.77.0/24 goto refuse_container",
		"ip saddr 10.89.77.0/24 goto refuse_spoofed",
		"ip daddr 172.22.0.1 tcp dport { 6385, 6180, 6183 } goto door_0_servers",
		"ip daddr 127.0.0.1 tcp dport 6385 goto refuse_loopback",
		'iifname != "br-prov" ip daddr 172.22.0.1 udp dport { 67, 69, 547, 4011 } goto refuse_service',
	]);
	t.deepEqual(linesOf(fence().text, "chain door_0_servers"), [
		'iifname "br-prov" ip saddr @servers accept',
		"ip saddr @elsewhere accept",
		"ip saddr @media_bmcs tcp dport 6183 accept",
		"goto refuse_published",
	]);
});

test("by a second leg BMCs alone come, for virtual media alone", (t) => {
	const bmc = {
		address: "redfish-virtualmedia://192.168.222.10/redfish/v1/Systems/1",
		credentialsName: "bmc",
	};
	const hosts = [hostManifest("cp-0", "52:54:00:ab:00:01", { bmc })];
	const provisioning = { ...fenceInputs().provisioning, media: { "192.168.222.10": "192.168.222.1" } };
	const { ports, text } = fence({ hosts }, { provisioning });
	t.true(linesOf(text, "chain entry").includes("ip daddr 192.168.222.1 tcp dport 6183 goto door_2_bmcs"));
	t.deepEqual(linesOf(text, "chain door_2_bmcs"), ["ip saddr @media_bmcs accept", "goto refuse_published"]);
	t.deepEqual(
		ports.filter(({ address }) => address === "192.168.222.1"),
		[{ address: "192.168.222.1", port: 6183, protocol: "tcp", what: "virtual media", from: "BMCs" }],
	);
});

test("the text replaces the table as a whole and touches no other", (t) => {
	const { table, text } = fence({ name: "lab-2" });
	t.is(table, "ironstrap_lab-2");
	t.regex(
		text,
		/^table inet ironstrap_lab-2\ndelete table inet ironstrap_lab-2\ntable inet ironstrap_lab-2 \{$/m,
	);
	t.notRegex(text, /flush/);
	t.deepEqual(
		[...text.matchAll(/\btable inet (\S+)/g)].map(([, name]) => name),
		Array.from({ length: 3 }, () => "ironstrap_lab-2"),
	);
});

test("`mode: none` has no fence; it has to be said", (t) => {
	t.is(renderFence(siteOf({ bootstrap: { fence: { mode: "none" } } }), fenceInputs()), undefined);
	t.is(siteOf().bootstrap.spec.fence.mode, "shared");
});

test("every refusal is counted, logged a few times a minute, and final", (t) => {
	const { text } = fence();
	for (const [, name] of text.matchAll(/goto refuse_(\w+)/g))
		t.deepEqual(linesOf(text, `chain refuse_${name}`), [
			`limit rate 6/minute burst 5 packets log prefix "ironstrap metal3 ${name}: " level info`,
			`counter name ${name} drop`,
		]);
});

test("DHCP is decided in the input hook, on the provisioning interface alone", (t) => {
	const { text } = fence();
	t.deepEqual(linesOf(text, "chain services"), [
		"type filter hook input priority filter - 10; policy accept;",
		'iifname "br-prov" icmpv6 type nd-router-advert fib saddr . iif type local drop',
		'iifname "br-prov" udp dport { 67, 547 } fib saddr . iif type local accept',
		'iifname "br-prov" icmpv6 type nd-router-advert update @routers { ether saddr . ip6 saddr } accept',
		'iifname "br-prov" udp sport 67 udp dport 68 fib saddr . iif type != local update @dhcp_servers { ether saddr . ip saddr } accept',
		'iifname "br-prov" udp dport { 67, 4011 } goto dhcp4',
		'iifname "br-prov" udp dport 547 goto dhcp6',
		'iifname "br-prov" udp dport 69 goto tftp',
	]);
	t.deepEqual(linesOf(text, "chain dhcp4"), [
		"@th,288,48 @known_clients accept",
		"update @unknown_clients { @th,288,48 }",
		"add @unknown_clients_since { @th,288,48 }",
		"jump firmware",
		"goto refuse_dhcp",
	]);
	// behind 8 bytes of UDP, 240 of BOOTP and the 3 of the message type: tag 93, length 2, high byte 0; the low byte
	t.is(
		linesOf(text, "chain firmware")[0],
		"@th,2008,24 0x5d0200 update @unknown_firmware { @th,288,48 . @th,2032,8 } return",
	);
});

test("`dhcp: open` still remembers who is unknown", (t) => {
	const { text } = fence({ bootstrap: { fence: { dhcp: "open" } } });
	t.deepEqual(linesOf(text, "chain dhcp4").slice(1), [
		"update @unknown_clients { @th,288,48 }",
		"add @unknown_clients_since { @th,288,48 }",
		"jump firmware",
		"accept",
	]);
	t.notRegex(text, /refuse_dhcp/);
});

test("known are boot addresses, further ports, hardware data, dhcp.hosts and what was learnt", (t) => {
	const { notes, text } = fence(
		{
			...networking({
				dhcp: {
					...provisioningNetwork.dhcp,
					hosts: ["52:54:00:AB:00:09,172.22.0.9,set:nine", "id:*,set:any", "01-52:54:00:ab:00:0a,x"],
				},
			}),
			hosts: [
				hostManifest("cp-0", "52:54:00:ab:00:01", {
					networkInterfaces: [{ name: "a", macAddress: "52:54:00:ab:00:02" }],
				}),
			],
		},
		{ learntMacs: ["52:54:00:AB:00:03", "80:00:02:08:fe:80:00:00:00:00:00:00:e4:1d:2d:03:00:5d:f0:b1"] },
	);
	t.true(
		linesOf(text, "set known_macs").includes(
			"elements = { 52:54:00:ab:00:01, 52:54:00:ab:00:02, 52:54:00:ab:00:03, 52:54:00:ab:00:09, 52:54:00:ab:00:0a }",
		),
	);
	t.true(
		linesOf(text, "set known_clients").includes(
			"elements = { 0x525400ab0001, 0x525400ab0002, 0x525400ab0003, 0x525400ab0009, 0x525400ab000a }",
		),
	);
	t.is(notes.length, 1);
	t.regex(notes[0] ?? "", /"id:\*,set:any"/);
});

test("without DHCP there is no rule about it, with serveDNS there is one about DNS", (t) => {
	t.notRegex(
		fence({ ironic: { networking: { ipAddress: "172.22.0.1" } } }).text,
		/udp dport|known_macs|tftp/,
	);
	const { ports, text } = fence(networking({ dhcp: { ...provisioningNetwork.dhcp, serveDNS: true } }));
	t.true(linesOf(text, "chain services").includes('iifname "br-prov" tcp dport 53 goto dns'));
	t.deepEqual(
		ports.map(({ port, protocol }) => `${port}/${protocol}`),
		[
			"6385/tcp",
			"6180/tcp",
			"6183/tcp",
			"6385/tcp",
			"67/udp",
			"69/udp",
			"547/udp",
			"4011/udp",
			"53/udp",
			"53/tcp",
		],
	);
});

test("networks behind a relay: let in by the client's address, not the relay's", (t) => {
	const extraRanges = [
		{ networkCIDR: "10.1.0.0/16", rangeBegin: "10.1.0.10", rangeEnd: "10.1.0.20" },
		{ networkCIDR: "172.22.0.0/24", rangeBegin: "172.22.0.160", rangeEnd: "172.22.0.170" },
	];
	const { text } = fence(networking({ dhcp: { ...provisioningNetwork.dhcp, extraRanges } }));
	t.true(linesOf(text, "set relayed").includes("elements = { 10.1.0.0/16 }"));
	t.true(linesOf(text, "set servers").includes("elements = { 10.1.0.0/16, 172.22.0.0/24 }"));
});

for (const [title, parts, expected] of [
	[
		"a second address of ours for BMCs and ramdisks that come from anywhere",
		networking({ externalIP: "10.50.0.1" }),
		["ip daddr 10.50.0.1 tcp dport { 6385, 6180, 6183 } goto door_1_external", 'iifname "eth0" accept'],
	],
	[
		"an address that a device in front translates: sources may be any",
		networking({ externalIP: "198.51.100.7" }),
		["ip daddr 172.22.0.1 tcp dport { 6385, 6180, 6183 } goto door_0_servers", 'iifname "br-prov" accept'],
	],
	[
		"the full API on another address",
		{ bootstrap: { api: { listen: ["10.50.0.1"] } } } satisfies SiteParts,
		["ip daddr 10.50.0.1 tcp dport 6385 goto door_2_operators", 'iifname "eth0" accept'],
	],
] satisfies [string, SiteParts, [string, string]][])
	test(title, (t) => {
		const { text } = fence(parts);
		const [entry, first] = expected;
		t.true(linesOf(text, "chain entry").includes(entry), entry);
		t.is(linesOf(text, `chain ${/goto (\S+)/.exec(entry)?.[1]}`)[0], first);
	});

test("containers reach BMCs, image servers, name servers, servers, and what is allowed; names by their addresses", (t) => {
	const resolved = new Map([
		["images.example.org", ["203.0.113.7", "2001:db8::7"]],
		["repo.example.org", ["203.0.113.8"]],
		["bmc.example.org", []],
	]);
	const { notes, text } = fence(
		{
			bootstrap: { fence: { allow: ["repo.example.org", "10.60.0.0/16"] } },
			hosts: [
				hostManifest("cp-0", "52:54:00:ab:00:01", {
					image: {
						url: "https://images.example.org/cp.qcow2",
						checksum: "http://images.example.org:8080/cp.sha256",
					},
				}),
				hostManifest("cp-1", "52:54:00:ab:00:02", {
					bmc: { address: "ipmi://192.168.222.7", credentialsName: "b" },
				}),
				hostManifest("cp-2", "52:54:00:ab:00:03", {
					bmc: { address: "idrac-virtualmedia://bmc.example.org/redfish/v1/Systems/1", credentialsName: "b" },
				}),
			],
		},
		{ resolved },
	);
	const elements = (set: string) => linesOf(text, `set ${set}`).at(-1);
	t.is(elements("bmc_services"), "elements = { 192.168.222.1 . tcp . 8000, 192.168.222.7 . udp . 623 }");
	t.is(elements("image_services"), "elements = { 203.0.113.7 . tcp . 443, 203.0.113.7 . tcp . 8080 }");
	t.is(elements("allowed"), "elements = { 10.60.0.0/16, 203.0.113.8/32 }");
	t.is(elements("name_servers"), "elements = { 10.50.0.53 }");
	t.deepEqual(notes, ['"bmc.example.org" does not resolve, so containers cannot reach it through the fence']);
});

test("image sources may send containers on, but neither to this machine nor to the services of a link", (t) => {
	const to = (host: string) => ({ host, protocol: "tcp", port: 443 }) as const;
	const further = ["cdn.example.org", "172.22.0.1", "127.0.0.1", "169.254.169.254"].map(to);
	const { text } = fence(
		{},
		{ further, resolved: new Map([["cdn.example.org", ["203.0.113.9", "10.50.0.1"]]]) },
	);
	t.is(linesOf(text, "set image_services").at(-1), "elements = { 203.0.113.9 . tcp . 443 }");
});

test("`egress: open` has no such chain, and says so", (t) => {
	const { notes, text } = fence({ bootstrap: { fence: { egress: "open" } } });
	t.notRegex(text, /chain egress \{|bmc_services/);
	t.deepEqual(notes, ["fence.egress is open: containers may reach every address"]);
});

const dedicated = { bootstrap: { fence: { mode: "dedicated" } } } as const;
const routed = { apart: { links: ["br-prov", "eth0"], v4: false, v6: false } };

test("a shared network on a machine that routed before: nothing of ours is in the forward hook", (t) => {
	t.notRegex(fence({}, routed).text, /hook forward/);
});

test("on a machine that did not route, its networks stay apart, and each stays whole", (t) => {
	t.deepEqual(linesOf(fence().text, "chain forward"), [
		"type filter hook forward priority filter - 10; policy accept;",
		'iifname "br-prov" oifname "br-prov" accept',
		"ct state established,related accept",
		'oifname "is-8270e6d7" accept',
		'iifname "is-8270e6d7" accept',
		'iifname "eth0" oifname "eth0" accept',
		'meta nfproto { ipv4, ipv6 } iifname { "br-prov", "eth0" } oifname { "br-prov", "eth0" } goto refuse_crossing',
	]);
});

test("dedicated: nothing crosses the provisioning network's border; the gateway is an explicit choice", (t) => {
	t.deepEqual(linesOf(fence(dedicated, routed).text, "chain forward").slice(-2), [
		'iifname "br-prov" goto refuse_routed',
		'oifname "br-prov" goto refuse_routed',
	]);
	const gateway = fence({ bootstrap: { fence: { mode: "dedicated", gateway: true } } }, routed);
	t.deepEqual(linesOf(gateway.text, "chain forward").slice(-3), [
		'iifname "br-prov" accept',
		'iifname "br-prov" goto refuse_routed',
		'oifname "br-prov" goto refuse_routed',
	]);
});

test("an IPv6 provisioning address is matched as one", (t) => {
	const { text } = fence(
		{ ironic: { networking: { ipAddress: "fd00::1" } } },
		{
			provisioning: { address: "fd00::1", interface: "eth1", cidr: "fd00::1/64" },
			localAddresses: ["fd00::1"],
			local: [{ interface: "eth1", address: "fd00::1" }],
		},
	);
	t.true(
		linesOf(text, "chain entry").includes(
			"ip6 daddr fd00::1 tcp dport { 6385, 6180, 6183 } goto door_0_servers",
		),
	);
	t.is(linesOf(text, "chain door_0_servers")[0], 'iifname "eth1" ip6 saddr @servers6 accept');
	t.true(linesOf(text, "set servers6").includes("elements = { fd00::/64 }"));
});

test("an interface whose name nftables cannot take is refused, not half quoted", (t) => {
	for (const name of ['a"b', "a\\", "eth*", "a b", "x\u0007"]) {
		const error = t.throws(
			() => fence({}, { provisioning: { address: "172.22.0.1", interface: name, cidr: "172.22.0.1/24" } }),
			undefined,
			JSON.stringify(name),
		);
		t.like(error, { code: "interface-name-invalid", seen: JSON.stringify(name) });
	}
});
