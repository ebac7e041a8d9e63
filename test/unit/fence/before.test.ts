import test from "ava";
import { apartIn, type Before, chainNames, switchesOf } from "../../../src/fence/before.ts";

const before: Before = {
	formatVersion: 1,
	links: ["eth0", "eth1.100"],
	switches: { "net/ipv4/ip_forward": "0", "net/ipv6/conf/all/forwarding": "1" },
	chains: [],
};

test("the switch of a whole family comes before those that the kernel sets with it", (t) => {
	t.deepEqual(switchesOf(["eth1.100"]), [
		"net/ipv4/ip_forward",
		"net/ipv6/conf/all/forwarding",
		"net/ipv4/conf/all/accept_redirects",
		"net/ipv4/conf/all/forwarding",
		"net/ipv4/conf/default/forwarding",
		"net/ipv4/conf/eth1.100/forwarding",
		"net/ipv6/conf/default/forwarding",
		"net/ipv6/conf/eth1.100/forwarding",
		"net/bridge/bridge-nf-call-iptables",
		"net/bridge/bridge-nf-call-ip6tables",
	]);
});

test("networks stay apart for the family that was not routed", (t) => {
	t.deepEqual(apartIn(before), { links: ["eth0", "eth1.100"], v4: true, v6: false });
	t.deepEqual(apartIn({ ...before, switches: { "net/ipv4/ip_forward": "1" } }), {
		links: ["eth0", "eth1.100"],
		v4: false,
		v6: true,
	});
});

test("chains are named by family, table and name", (t) => {
	const listing = [
		{ metainfo: { version: "1.0.6" } },
		{ table: { family: "ip", name: "nat" } },
		{ chain: { family: "ip", table: "nat", name: "POSTROUTING", hook: "postrouting" } },
		{ chain: { family: "ip", table: "filter", name: "NETAVARK_FORWARD" } },
		{ rule: { family: "ip", table: "nat", chain: "POSTROUTING" } },
	];
	t.deepEqual(chainNames(listing), ["ip filter NETAVARK_FORWARD", "ip nat POSTROUTING"]);
});
