import test from "ava";
import { renderFence } from "../../../src/fence/fence.ts";
import { compareListings, type NftObject } from "../../../src/fence/listing.ts";
import { heardServers, refusedPackets, unknownServers } from "../../../src/fence/observations.ts";
import { removeTable, updateElements } from "../../../src/fence/update.ts";
import { siteOf } from "../stack/fixture.ts";
import { fenceInputs } from "./_inputs.ts";

/** As nft 1.0.6 prints it. */
function listing({
	elem = ["52:54:00:ab:00:01", "52:54:00:ab:00:02"],
	handle = 1,
	packets = 0,
	links = ["lo", "br-prov"],
	rules = 1,
}: {
	elem?: unknown[];
	handle?: number;
	packets?: number;
	links?: string[];
	rules?: number;
} = {}): NftObject[] {
	const rule = {
		family: "inet",
		table: "t",
		chain: "entry",
		handle,
		expr: [
			{ match: { op: "!=", left: { meta: { key: "iifname" } }, right: { set: links } } },
			{ counter: { packets, bytes: packets * 60 } },
			{ drop: null },
		],
	};
	return [
		{ metainfo: { version: "1.0.6", json_schema_version: 1 } },
		{ table: { family: "inet", name: "t", handle } },
		{ counter: { family: "inet", name: "dhcp", table: "t", handle, packets, bytes: packets * 300 } },
		{ set: { family: "inet", name: "known_macs", table: "t", type: "ether_addr", handle, elem } },
		{
			set: {
				family: "inet",
				name: "unknown_clients",
				table: "t",
				type: "integer",
				handle,
				size: 1024,
				flags: ["timeout"],
				timeout: 3600,
				...(packets === 0 ? {} : { elem: [{ elem: { val: 90520747507711, timeout: 3600, expires: 3588 } }] }),
			},
		},
		{
			chain: {
				family: "inet",
				table: "t",
				name: "entry",
				handle,
				type: "filter",
				hook: "prerouting",
				prio: -300,
			},
		},
		...Array.from({ length: rules }, () => ({ rule })),
	];
}

test("handles, counters, learnt elements and the order in sets make no difference", (t) => {
	const found = listing({
		handle: 77,
		packets: 12,
		links: ["br-prov", "lo"],
		elem: ["52:54:00:ab:00:02", "52:54:00:ab:00:01"],
	});
	t.deepEqual(compareListings(found, listing()), { verdict: "intact" });
});

test("other elements are told apart from other rules", (t) => {
	t.deepEqual(compareListings(listing({ elem: ["52:54:00:ab:00:01"] }), listing()), {
		verdict: "elements",
		sets: ["known_macs"],
	});
	for (const altered of [
		listing({ rules: 2 }),
		listing({ rules: 0 }),
		listing({ links: ["lo"] }),
		listing().slice(0, 3),
		[...listing(), { chain: { family: "inet", table: "t", name: "hole", handle: 9 } }],
	])
		t.deepEqual(compareListings(altered, listing()), { verdict: "altered" });
});

test("what was refused and who was seen", (t) => {
	t.deepEqual(refusedPackets(listing({ packets: 12 })), { dhcp: 12 });
	t.deepEqual(refusedPackets(listing()), {});
	t.deepEqual(unknownServers(listing({ packets: 1 })), [
		{
			...{ mac: "52:54:00:ff:ff:ff", protocol: "DHCPv4", firmware: undefined },
			...{ secondsAgo: 12, firstSecondsAgo: 12 },
		},
	]);
});

test("an unknown server's firmware, and since when it asks; who became known is left out", (t) => {
	const timed = (val: unknown, expires: number) => ({ elem: { val, timeout: 1, expires } });
	const [first, second] = [0x525400ffffff, 0x52540000000b];
	const seen = [
		{ set: { name: "known_macs", elem: ["52:54:00:00:00:0b"] } },
		{ set: { name: "unknown_clients", elem: [timed(first, 3590), timed(second, 3000)] } },
		{ set: { name: "unknown_clients_since", elem: [timed(first, 86_000)] } },
		{ set: { name: "unknown_firmware", elem: [timed({ concat: [first, 16] }, 3590)] } },
		{ set: { name: "unknown_macs", elem: [timed("52:54:00:ff:ff:ff", 3500)] } },
	];
	t.deepEqual(unknownServers(seen), [
		{
			...{ mac: "52:54:00:ff:ff:ff", protocol: "DHCPv4", firmware: "UEFI x86-64, HTTP boot" },
			...{ secondsAgo: 10, firstSecondsAgo: 400 },
		},
		{
			...{ mac: "52:54:00:ff:ff:ff", protocol: "DHCPv6 or TFTP", firmware: undefined },
			...{ secondsAgo: 100, firstSecondsAgo: 100 },
		},
	]);
});

test("who else serves the network", (t) => {
	const timed = (val: unknown, expires: number) => ({ elem: { val, timeout: 1, expires } });
	const mac = "52:54:00:00:00:01";
	const seen = [
		{ set: { name: "dhcp_servers", elem: [timed({ concat: [mac, "172.22.0.2"] }, 3000)] } },
		{ set: { name: "routers", elem: [timed({ concat: [mac, "fe80::1"] }, 3590)] } },
	];
	t.deepEqual(heardServers(seen), [
		{ kind: "router", mac, address: "fe80::1", secondsAgo: 10 },
		{ kind: "DHCP server", mac, address: "172.22.0.2", secondsAgo: 600 },
	]);
});

test("sets are changed in place, by their names alone", (t) => {
	const fence = renderFence(siteOf(), fenceInputs());
	t.is(
		fence && updateElements(fence, ["known_clients", "image_services"]),
		[
			"flush set inet ironstrap_metal3 known_clients",
			"add element inet ironstrap_metal3 known_clients { 0x525400ab0001 }",
			"flush set inet ironstrap_metal3 image_services",
			"",
		].join("\n"),
	);
	t.is(removeTable("ironstrap_metal3"), "table inet ironstrap_metal3\ndelete table inet ironstrap_metal3\n");
});
