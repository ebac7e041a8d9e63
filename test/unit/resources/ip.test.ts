import test from "ava";
import fc from "fast-check";
import {
	cidrContains,
	cidrsOverlap,
	netmaskOf,
	parseCidr,
	parseIpAddress,
	parseIpRange,
	rangeContains,
	rangeSize,
	rangesOverlap,
	urlHost,
} from "../../../src/resources/ip.ts";

for (const [text, canonical, family] of [
	["172.22.0.1", "172.22.0.1", 4],
	["0.0.0.0", "0.0.0.0", 4],
	["FD00:1ABC:0:0::1", "fd00:1abc::1", 6],
	["::", "::", 6],
	["::ffff:192.0.2.1", "::ffff:c000:201", 6],
] as const)
	test(`address ${text}`, (t) => {
		const ip = parseIpAddress(text);
		t.is(ip.text, canonical);
		t.is(ip.family, family);
	});

for (const text of [
	"",
	"172.22.0",
	"172.22.0.256",
	"172.22.0.01",
	"172.22.0.1/24",
	"172.22.0.1.",
	"host",
	"fd00::1::2",
	"fe80::1%eth0",
	"[::1]",
	"1.2.3.4:80",
	" 1.2.3.4",
	"fd00::g",
])
	test(`${JSON.stringify(text)} is no address`, (t) => {
		t.throws(() => parseIpAddress(text), { instanceOf: RangeError });
	});

test("a network is bounded by its first and last address, whatever host bits were written", (t) => {
	const cidr = parseCidr("172.22.0.77/24");
	t.is(cidr.text, "172.22.0.0/24");
	t.is(cidr.address.text, "172.22.0.77");
	t.is(cidr.first.text, "172.22.0.0");
	t.is(cidr.last.text, "172.22.0.255");
	t.is(netmaskOf(cidr), "255.255.255.0");
	t.is(parseCidr("fd00:1abc::/64").last.text, "fd00:1abc::ffff:ffff:ffff:ffff");
	t.is(netmaskOf(parseCidr("fd00:1abc::/64")), undefined);
	t.is(netmaskOf(parseCidr("10.0.0.0/0")), "0.0.0.0");
	t.is(netmaskOf(parseCidr("10.0.0.1/32")), "255.255.255.255");
});

for (const text of [
	"172.22.0.0",
	"172.22.0.0/",
	"172.22.0.0/33",
	"172.22.0.0/024",
	"172.22.0.0/-1",
	"fd00::/129",
	"x/24",
])
	test(`${JSON.stringify(text)} is no network`, (t) => {
		t.throws(() => parseCidr(text), { instanceOf: RangeError });
	});

test("containment, overlap and size", (t) => {
	const network = parseCidr("172.22.0.0/24");
	t.true(cidrContains(network, parseIpAddress("172.22.0.255")));
	t.false(cidrContains(network, parseIpAddress("172.22.1.0")));
	t.false(cidrContains(network, parseIpAddress("::ac16:1")));
	t.true(cidrsOverlap(network, parseCidr("172.22.0.128/25")));
	t.false(cidrsOverlap(network, parseCidr("172.22.1.0/24")));
	const range = parseIpRange("172.22.0.100", "172.22.0.150");
	t.is(rangeSize(range), 51n);
	t.true(rangeContains(range, parseIpAddress("172.22.0.150")));
	t.false(rangeContains(range, parseIpAddress("172.22.0.151")));
	t.true(rangesOverlap(range, parseIpRange("172.22.0.150", "172.22.0.160")));
	t.false(rangesOverlap(range, parseIpRange("172.22.0.151", "172.22.0.160")));
	t.is(rangeSize(parseIpRange("fd00::", "fd00::ffff:ffff:ffff:ffff")), 2n ** 64n);
});

test("a reversed or mixed range is refused", (t) => {
	t.throws(() => parseIpRange("172.22.0.150", "172.22.0.100"), { message: /comes after/ });
	t.throws(() => parseIpRange("172.22.0.150", "fd00::1"), { message: /different address families/ });
});

test("IPv6 stands in brackets in a URL", (t) => {
	t.is(urlHost("fd00::1"), "[fd00::1]");
	t.is(urlHost("172.22.0.1"), "172.22.0.1");
});

test("the canonical text of any address reads back as the same address", (t) => {
	fc.assert(
		fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
			const ip = parseIpAddress(text);
			t.deepEqual(parseIpAddress(ip.text), ip);
		}),
		{ numRuns: 300 },
	);
	t.pass();
});
