import test from "ava";
import { judgeServers } from "../../../src/checks/dhcp-servers.ts";
import type { NetworkServer } from "../../../src/linux/network-servers.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { ironicText } from "../../support/site-text.ts";
import { siteOf } from "../stack/fixture.ts";

const mac = "52:54:00:ff:ff:01";
const v4: NetworkServer = {
	...{ kind: "DHCPv4", address: "172.22.0.200", mac, offered: "172.22.0.210", own: false },
};
const v6: NetworkServer = { ...v4, kind: "DHCPv6", address: "fe80::1", offered: "fd00::10" };
const router: NetworkServer = { ...v4, kind: "router", address: "fe80::2", offered: undefined };
const noDhcp = { networking: { ipAddress: "172.22.0.1" } };

type Mode = "auto" | "full" | "reservations" | "proxy" | "off";

function judge(mode: Mode, servers: readonly NetworkServer[], ironic?: typeof noDhcp): readonly string[] {
	const site = siteOf({ bootstrap: { dhcp: { mode } }, ...(ironic === undefined ? {} : { ironic }) });
	return judgeServers(site, "br-prov", { servers, unseen: [] }).map((found) =>
		"severity" in found ? `${found.severity} ${found.code}` : `error ${found.code}`,
	);
}

const table: readonly [string, Mode, readonly NetworkServer[], readonly string[]][] = [
	["nobody", "auto", [], []],
	["another server where ours gives out addresses", "auto", [v4], ["error dhcp-foreign"]],
	["one that only says what to boot", "auto", [{ ...v4, offered: undefined }], ["error dhcp-foreign"]],
	["one that the site knows about", "full", [v4], ["warning dhcp-foreign"]],
	["one beside reserved addresses", "reservations", [v4], ["warning dhcp-foreign"]],
	["the one that gives out the addresses", "proxy", [v4], ["warning dhcp-foreign"]],
	["nobody who gives out addresses", "proxy", [], ["warning dhcp-proxy-alone"]],
	["one of the family that is not served", "auto", [v6], ["warning dhcp-foreign"]],
	["a router", "auto", [router], ["warning dhcp-foreign"]],
	["a server of this machine itself", "auto", [{ ...v4, own: true }], []],
];
for (const [title, mode, servers, expected] of table)
	test(`${mode}: ${title}`, (t) => {
		t.deepEqual(judge(mode, servers), expected);
	});

test("a proxy without a network of its own is judged, too", (t) => {
	t.deepEqual(judge("proxy", [], noDhcp), ["warning dhcp-proxy-alone"]);
});

test("who it is, what it offered, and what can be done", (t) => {
	const [found] = judgeServers(siteOf(), "br-prov", { servers: [v4], unseen: [] });
	t.is(
		found?.message,
		`172.22.0.200 (${mac}) gives out addresses by DHCPv4 on br-prov: a server that hears it first takes its address, and does not boot`,
	);
	t.is(found?.seen, `DHCPv4 server 172.22.0.200, MAC address ${mac}, offered 172.22.0.210`);
	t.regex(found?.fix ?? "", /dhcp\.mode: proxy.*reservations.*full/);
});

test("it is said at the place that asks for ours: the ranges, or the mode", (t) => {
	const ranges =
		"  networking:\n    ipAddress: 172.22.0.1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.10, rangeEnd: 172.22.0.20}\n";
	const mode =
		"---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: metal3, namespace: metal3}\nspec:\n  dhcp: {mode: full}\n";
	const placeIn = (text: string) => {
		const { site } = assembleSite(parseDocuments(text, "site.yaml").documents);
		const [found] = judgeServers(site, "br-prov", { servers: [v4], unseen: [] });
		return [found?.subject, found?.where?.line, found?.where?.column];
	};
	t.deepEqual(placeIn(ironicText(ranges)), ["Ironic metal3/metal3", 7, 5]);
	t.deepEqual(placeIn(ironicText(ranges) + mode), ["Bootstrap metal3/metal3", 13, 16]);
});

test("what could not be seen is told, and refuses nothing", (t) => {
	const unseen = [{ kind: "DHCPv4", why: "br-prov has no link" }] as const;
	const [found, ...more] = judgeServers(siteOf(), "br-prov", { servers: [], unseen });
	t.like(found, { code: "dhcp-look-failed", severity: "warning" });
	t.regex(found?.message ?? "", /br-prov has no link$/);
	t.deepEqual(more, []);
});
