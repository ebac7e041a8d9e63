import test from "ava";
import { discoveredText } from "../../../src/cli/hosts/discovered.ts";
import { joinByMac } from "../../../src/lifecycle/discovered.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const mac = "00:1b:21:00:00:01";
const servers = joinByMac(
	[
		{ mac, protocol: "DHCPv4", secondsAgo: 10, firstSecondsAgo: 4000, firmware: "BIOS" },
		{ mac, protocol: "DHCPv6 or TFTP", secondsAgo: 5, firstSecondsAgo: 5, firmware: undefined },
	],
	new Map([[mac, "Intel Corporate"]]),
	now,
);

test("a server that asked in two ways is one server", (t) => {
	t.deepEqual(servers, [
		{
			...{ mac, vendor: "Intel Corporate", firmware: "BIOS", protocols: ["DHCPv4", "DHCPv6 or TFTP"] },
			...{ firstSeen: "2026-03-01T10:53:20.000Z", lastSeen: "2026-03-01T11:59:55.000Z" },
		},
	]);
});

test("for a person: a table, and what to type next", (t) => {
	t.is(
		discoveredText(servers, now),
		[
			"MAC                 VENDOR            FIRMWARE   ASKED FOR                FIRST SEEN   LAST SEEN",
			"00:1b:21:00:00:01   Intel Corporate   BIOS       DHCPv4, DHCPv6 or TFTP   66m          5s",
			"",
			`\`ironstrap hosts add --mac ${mac}\` lets one in.`,
		].join("\n"),
	);
	t.is(discoveredText([], now), "no unknown server asked for anything during the last hour");
});
