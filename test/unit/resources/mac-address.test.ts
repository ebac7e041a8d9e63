import test from "ava";
import { isNotAServer, macAddressSchema, parseMacAddress } from "../../../src/resources/mac-address.ts";

for (const text of [
	"52:54:00:AB:00:01",
	"52-54-00-ab-00-01",
	"5254.00ab.0001",
	"525400AB0001",
	" 52:54:00:ab:00:01\n",
])
	test(`${JSON.stringify(text)} is read as 52:54:00:ab:00:01`, (t) => {
		t.is(String(parseMacAddress(text)), "52:54:00:ab:00:01");
	});

for (const text of [
	"",
	"52:54:00:ab:00",
	"52:54:00:ab:00:01:02",
	"52:54-00:ab:00:01",
	"5:54:00:ab:00:01",
	"52:54:00:ab:00:0g",
])
	test(`${JSON.stringify(text)} is no MAC address`, (t) => {
		t.throws(() => parseMacAddress(text), { instanceOf: RangeError, message: /is not a MAC address/ });
	});

test("a manifest takes the colon form only, as the CRD does, in either letter case", (t) => {
	t.is(String(macAddressSchema.parse("52:54:00:AB:00:01")), "52:54:00:ab:00:01");
	for (const text of ["52-54-00-ab-00-01", "5254.00ab.0001", " 52:54:00:ab:00:01"])
		t.false(macAddressSchema.safeParse(text).success, text);
});

test("group addresses and zero belong to no server", (t) => {
	t.true(isNotAServer(parseMacAddress("ff:ff:ff:ff:ff:ff")));
	t.true(isNotAServer(parseMacAddress("01:00:5e:00:00:01")));
	t.true(isNotAServer(parseMacAddress("00:00:00:00:00:00")));
	t.false(isNotAServer(parseMacAddress("52:54:00:ab:00:01")));
});
