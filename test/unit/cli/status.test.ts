import test from "ava";
import { statusText } from "../../../src/cli/status/handler.ts";
import type { SiteStatus } from "../../../src/lifecycle/status.ts";

function fenceText(changes: Partial<SiteStatus["fence"]>): readonly string[] {
	const status = {
		site: "metal3",
		engine: { kind: "podman", version: "4.3.1" },
		services: [],
		hosts: [],
		waits: [],
		fence: {
			mode: "shared",
			dhcp: "closed",
			egress: "limited",
			state: "intact",
			refused: {},
			unknownServers: [],
			heard: [],
			...changes,
		},
	} as unknown as SiteStatus;
	const lines = statusText(status, 0).split("\n");
	const start = lines.findIndex((line) => line.startsWith("fence"));
	return lines.slice(start, lines.indexOf("", start));
}

test("a fence that stands, what it refused, and whom it saw", (t) => {
	t.deepEqual(
		fenceText({
			refused: { published: 12, dhcp: 3 },
			unknownServers: [
				{
					...{ mac: "52:54:00:ff:ff:ff", protocol: "DHCPv4", firmware: "BIOS" },
					...{ secondsAgo: 12, firstSecondsAgo: 60 },
				},
			],
			heard: [{ kind: "router", mac: "52:54:00:00:00:01", address: "fe80::1", secondsAgo: 5 }],
		}),
		[
			"fence intact (shared; DHCP for known servers; egress limited)",
			"  refused 12 packets to a published port from where no server is",
			"  refused 3 packets of DHCP from unknown servers",
			"  unknown server seen: 52:54:00:ff:ff:ff (DHCPv4, 12 s ago)",
			"  another router heard: fe80::1 (52:54:00:00:00:01), 5 s ago",
		],
	);
});

for (const [state, line] of [
	["missing", "fence MISSING: `ironstrap up` or `ironstrap fence watch` puts it back"],
	["altered", "fence ALTERED by somebody: `ironstrap up` or `ironstrap fence watch` puts it back"],
	["none", "fence none, as the site asks (fence.mode: none)"],
	["down", "fence down"],
] as const)
	test(`a fence that is ${state}`, (t) => {
		t.deepEqual(fenceText({ state }), [line]);
	});
