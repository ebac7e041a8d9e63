import test from "ava";
import { judgeVirtualRouters } from "../../../src/checks/virtual-routers.ts";
import type { VirtualRouter } from "../../../src/linux/vrrp-listener.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { ironicText, withMessages } from "../../support/site-text.ts";

const place = { interface: "eth1", addresses: ["172.22.0.1", "fd00::1"] };
const dhcp = "    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.10, rangeEnd: 172.22.0.20}\n";
const reserved = dhcp.replace("20}", "20, hosts: ['52:54:00:ab:00:01,172.22.0.16']}");
const network = `  networking:\n    interface: eth1\n    ipAddress: 172.22.0.1\n`;
const keepalived = "    keepalived: {enabled: true}\n";
const legacy = "    ipAddressManager: keepalived\n";

function router(routerId: number, ...virtualAddresses: readonly string[]): VirtualRouter {
	return { address: "172.22.0.200", routerId, virtualAddresses };
}

function siteOf(spec: string, bootstrap = "") {
	return assembleSite(parseDocuments(ironicText(spec) + bootstrap, "site.yaml").documents).site;
}

function found(spec: string, routers: readonly VirtualRouter[], bootstrap = ""): readonly string[] {
	return withMessages(judgeVirtualRouters(siteOf(spec, bootstrap), place, { outcome: "looked", routers }));
}

const reservations = `---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: metal3, namespace: metal3}\nspec: {dhcp: {mode: reservations}}\n`;

const table: readonly [string, readonly string[], readonly string[]][] = [
	["nobody", found(network + dhcp, []), []],
	[
		"the router of the network",
		found(network + dhcp, [router(51, "172.22.0.254")]),
		[
			"warning vrrp-foreign 6:16: 172.22.0.200 (virtual router 51 of VRRP on eth1) shares addresses with other machines",
		],
	],
	[
		"this machine's address",
		found(network + dhcp, [router(1, "172.22.0.9", "172.22.0.1")]),
		[
			"error vrrp-address 7:16: 172.22.0.200 (virtual router 1 of VRRP on eth1) answers for 172.22.0.1, which is this machine's",
		],
	],
	[
		"this machine's address of IPv6",
		found(network, [router(1, "fe80::7", "fd00::1")]),
		[
			"error vrrp-address 7:16: 172.22.0.200 (virtual router 1 of VRRP on eth1) answers for fd00::1, which is this machine's",
		],
	],
	[
		"an address of the pool",
		found(network + dhcp, [router(51, "172.22.0.15")]),
		[
			"warning vrrp-pool 8:5: 172.22.0.200 (virtual router 51 of VRRP on eth1) answers for 172.22.0.15, which lies in a DHCP range of the site",
		],
	],
	[
		"an address of a range that nothing is given out of",
		found(network + reserved, [router(51, "172.22.0.15")], reservations),
		[
			"warning vrrp-foreign 6:16: 172.22.0.200 (virtual router 51 of VRRP on eth1) shares addresses with other machines",
		],
	],
	[
		"the number of the target's keepalived",
		found(network + keepalived, [router(1, "172.22.0.254")]),
		[
			"warning vrrp-router-id 8:5: 172.22.0.200 (virtual router 1 of VRRP on eth1) is in the way of the target's keepalived, whose virtual_router_id is 1, too",
		],
	],
	[
		"the number of the target's keepalived, the deprecated way",
		found(network + legacy, [router(1, "172.22.0.254")]),
		[
			"warning vrrp-router-id 8:23: 172.22.0.200 (virtual router 1 of VRRP on eth1) is in the way of the target's keepalived, whose virtual_router_id is 1, too",
		],
	],
	[
		"another number than that",
		found(network + keepalived, [router(2, "172.22.0.254")]),
		[
			"warning vrrp-foreign 6:16: 172.22.0.200 (virtual router 2 of VRRP on eth1) shares addresses with other machines",
		],
	],
];
for (const [title, seen, expected] of table)
	test(`a virtual router with ${title}`, (t) => {
		t.deepEqual(seen, expected);
	});

test("what could not be heard is told, and refuses nothing", (t) => {
	const look = { outcome: "could-not-look", why: "it needs root" } as const;
	t.deepEqual(withMessages(judgeVirtualRouters(siteOf(network), place, look)), [
		"warning vrrp-look-failed 6:16: whether virtual routers (VRRP) are on eth1 could not be heard: it needs root",
	]);
});
