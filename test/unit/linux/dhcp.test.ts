import test from "ava";
import { lookForDhcp } from "../../../src/linux/dhcp-look.ts";
import { dhcpDiscover, parseDhcpOffer } from "../../../src/linux/dhcp-packet.ts";
import type { MachineInterface } from "../../../src/linux/ip-json.ts";

/** An offer as RFC 2131 lays it out, options after the cookie. */
function offer(options: readonly number[], yourAddress = [172, 22, 0, 100]): Buffer {
	const packet = Buffer.alloc(240);
	packet.writeUInt8(2, 0);
	packet.writeUInt32BE(0x12345678, 4);
	Buffer.from(yourAddress).copy(packet, 16);
	packet.writeUInt32BE(0x63825363, 236);
	return Buffer.concat([packet, Buffer.from(options)]);
}

test("the question: broadcast flag, our card's address, message type DISCOVER, long enough for relays", (t) => {
	const packet = dhcpDiscover(0x12345678, "52:54:00:ab:ff:01");
	t.is(packet.length, 300);
	t.is(packet.subarray(0, 12).toString("hex"), "010106001234567800008000");
	t.is(packet.subarray(28, 34).toString("hex"), "525400abff01");
	t.is(packet.subarray(236, 243).toString("hex"), "63825363350101");
	t.true(dhcpDiscover(1, "52:54:00:ab:ff:01", { pxe: true }).includes("PXEClient:Arch:00007"));
});

test("an offer is read: server, address, router, boot file", (t) => {
	const bootFile = [...Buffer.from("snponly.efi")];
	const options = [
		0,
		53,
		1,
		2,
		54,
		4,
		172,
		22,
		0,
		2,
		3,
		4,
		172,
		22,
		0,
		254,
		67,
		bootFile.length,
		...bootFile,
		255,
	];
	t.deepEqual(parseDhcpOffer(offer(options)), {
		transaction: 0x12345678,
		server: "172.22.0.2",
		offered: "172.22.0.100",
		router: "172.22.0.254",
		bootFile: "snponly.efi",
	});
});

test("a proxy that only says what to boot offers no address", (t) => {
	const answer = parseDhcpOffer(offer([53, 1, 2, 54, 4, 10, 0, 0, 9, 255], [0, 0, 0, 0]));
	t.like(answer, { server: "10.0.0.9", offered: undefined });
});

test("anything else is no offer, and no crash", (t) => {
	t.is(parseDhcpOffer(Buffer.alloc(0)), undefined);
	t.is(parseDhcpOffer(offer([53, 1, 5, 255])), undefined, "an ACK");
	t.is(parseDhcpOffer(offer([53])), undefined, "cut off");
	t.like(parseDhcpOffer(offer([53, 1, 2, 54, 2, 1, 1, 255])), { server: undefined });
	t.is(parseDhcpOffer(dhcpDiscover(1, "52:54:00:ab:ff:01")), undefined, "our own question");
});

test("where it cannot look it says why", async (t) => {
	const link: MachineInterface = {
		...{ name: "eth1", mac: "52:54:00:00:00:01", kind: "ethernet", over: [], link: true, addresses: [] },
		...{ memberOf: undefined, vlan: undefined, speedMbps: 1000, gateway: undefined, managedBy: undefined },
	};
	const options = { signal: AbortSignal.timeout(5000) };
	t.deepEqual(await lookForDhcp(link, options), {
		outcome: "could-not-look",
		why: "eth1 has no IPv4 address to ask from; give it one and look again",
	});
	t.deepEqual(await lookForDhcp({ ...link, link: false }, options), {
		outcome: "could-not-look",
		why: "eth1 has no link",
	});
	t.deepEqual(await lookForDhcp({ ...link, mac: undefined }, options), {
		outcome: "could-not-look",
		why: "eth1 is no Ethernet interface",
	});
});
