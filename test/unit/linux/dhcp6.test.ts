import test from "ava";
import { dhcp6Solicit, parseDhcp6Advertisement } from "../../../src/linux/dhcp6-packet.ts";

/* Bytes as RFC 8415 lays them out. */

const hex = (...parts: readonly string[]) => Buffer.from(parts.join("").replaceAll(" ", ""), "hex");

test("the question: SOLICIT, our card's DUID-LL, one association, nothing elapsed", (t) => {
	t.deepEqual(
		dhcp6Solicit(0x123456, "52:54:00:ab:ff:01"),
		hex(
			"01 123456",
			"0001 000a 0003 0001 525400abff01",
			"0003 000c 00abff01 00000000 00000000",
			"0006 0002 003b",
			"0008 0002 0000",
		),
	);
});

test("an advertisement is read: the server's MAC address and what it would give", (t) => {
	const address = "fd001abc000000000000000000001000";
	const given = hex(`0005 0018 ${address} 00000e10 00000e10`);
	const packet = hex(
		"02 123456",
		"0002 000e 0001 0001 2f000000 525400ffff01",
		`0003 0028 00abff01 00000000 00000000 ${given.toString("hex")}`,
	);
	t.deepEqual(parseDhcp6Advertisement(packet), {
		transaction: 0x123456,
		serverMac: "52:54:00:ff:ff:01",
		offered: "fd00:1abc::1000",
	});
});

test("a server with nothing for us, and one with an identifier of another kind", (t) => {
	t.deepEqual(parseDhcp6Advertisement(hex("02 000001", "0002 0006 0002 00000009 01")), {
		...{ transaction: 1, serverMac: undefined, offered: undefined },
	});
	for (const other of ["", "02", "02 000001", "07 000001 0002 000a 0003 0001 525400ffff01"])
		t.is(parseDhcp6Advertisement(hex(other)), undefined);
});
