import test from "ava";
import { rememberAddresses, resolvedFrom } from "../../../src/fence/resolved.ts";
import { sameButElements } from "../../../src/fence/update.ts";

const hour = 3_600_000;
const name = "images.example.org";

test("an address stays for a day after a name server gave it last", (t) => {
	const first = rememberAddresses([name], {}, new Map([[name, ["192.0.2.1"]]]), 0);
	const second = rememberAddresses([name], first, new Map([[name, ["192.0.2.2"]]]), 23 * hour);
	t.deepEqual(resolvedFrom(second).get(name), ["192.0.2.1", "192.0.2.2"]);
	const third = rememberAddresses([name], second, new Map([[name, ["192.0.2.2"]]]), 24 * hour);
	t.deepEqual(resolvedFrom(third).get(name), ["192.0.2.2"]);
});

test("a name that does not resolve keeps what it had, one that is gone is forgotten", (t) => {
	const first = rememberAddresses([name], {}, new Map([[name, ["192.0.2.1"]]]), 0);
	t.deepEqual(resolvedFrom(rememberAddresses([name], first, new Map(), 48 * hour)).get(name), ["192.0.2.1"]);
	t.is(resolvedFrom(rememberAddresses([], first, new Map(), hour)).size, 0);
});

test("texts that differ in elements, and in the head that counts them", (t) => {
	const text = (elements: string, rule = "accept") =>
		`# ${elements.length} known\ntable inet t {\n\tset s {\n\t\ttype ipv4_addr\n\t\telements = { ${elements} }\n\t}\n\t${rule}\n}\n`;
	t.true(sameButElements(text("192.0.2.1"), text("192.0.2.1, 192.0.2.2")));
	t.true(sameButElements(text("192.0.2.1"), text("x").replace(/^.*elements.*\n/m, "")));
	t.false(sameButElements(text("192.0.2.1"), text("192.0.2.1", "drop")));
});
