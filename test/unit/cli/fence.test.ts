import test from "ava";
import { lookText, summaryText } from "../../../src/cli/fence/words.ts";
import type { FenceStatus } from "../../../src/lifecycle/fence-status.ts";
import type { FenceSummary } from "../../../src/lifecycle/fence-summary.ts";

const status: FenceStatus = {
	mode: "shared",
	dhcp: "closed",
	egress: "limited",
	state: "intact",
	refused: { dhcp: 3 },
	unknownServers: [],
	heard: [],
};

const summary: FenceSummary = {
	site: "metal3",
	ports: [
		{
			address: "172.22.0.1",
			port: 6180,
			protocol: "tcp",
			what: "boot files and images",
			from: "servers by eth1 (172.22.0.0/24)",
		},
	],
	reach: [{ what: "the site's BMCs", to: ["192.168.222.2 . tcp . 8000"] }],
	notes: [],
	fence: status,
};

test("who may reach what, and what was refused", (t) => {
	t.is(
		summaryText(summary),
		`site metal3

PORT                  WHAT                    MAY BE REACHED BY
172.22.0.1 6180/tcp   boot files and images   servers by eth1 (172.22.0.0/24)

CONTAINERS MAY REACH
  the site's BMCs: 192.168.222.2 tcp 8000

fence intact (shared; DHCP for known servers; egress limited)
  refused 3 packets of DHCP from unknown servers`,
	);
});

test("containers that may reach everything", (t) => {
	const text = summaryText({ ...summary, reach: [], fence: { ...status, egress: "open" } });
	t.true(text.includes("CONTAINERS MAY REACH\n  every address\n"));
});

test("a site without a fence says only that", (t) => {
	const fence: FenceStatus = { ...status, mode: "none", state: "none", refused: {} };
	t.is(
		summaryText({ ...summary, ports: [], reach: [], fence }),
		"site metal3\n\nfence none, as the site asks (fence.mode: none)",
	);
});

test("a look from outside", (t) => {
	const place = { address: "172.22.0.1", port: 6180, what: "boot files and images", here: true };
	const look = { site: "metal3", from: "198.51.100.0/30" };
	t.is(
		lookText({ ...look, places: [{ ...place, outside: false }], unexpected: [] }),
		`PORT                  WHAT                    FROM THIS MACHINE   FROM 198.51.100.0/30
172.22.0.1 6180/tcp   boot files and images   open                closed

Nothing of the stack can be reached by a network that the site does not name.`,
	);
	t.regex(
		lookText({ ...look, places: [{ ...place, outside: true }], unexpected: ["172.22.0.1:6180"] }),
		/open +OPEN\n\nThese can be reached by a network that the site does not name: 172\.22\.0\.1:6180$/,
	);
});
