import test from "ava";
import { nameServersIn, resolveNames } from "../../../src/linux/network-facts.ts";

test("name servers: those of a loopback are of no use to a container", (t) => {
	const text = `# nameserver 192.0.2.1
domain example.org
nameserver 127.0.0.53
nameserver\t10.0.0.53
  nameserver 10.0.0.53
nameserver fd00::53 # the other
nameserver ::1
options ndots:1
`;
	t.deepEqual(nameServersIn(text), ["10.0.0.53", "fd00::53"]);
});

test("a name that does not resolve has no addresses", async (t) => {
	const resolved = await resolveNames(["localhost", "nowhere.invalid", "10.0.0.1; drop"]);
	t.true((resolved.get("localhost") ?? []).length > 0);
	t.deepEqual(resolved.get("nowhere.invalid"), []);
	t.deepEqual(resolved.get("10.0.0.1; drop"), []);
});
