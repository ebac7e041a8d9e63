import test from "ava";
import fc from "fast-check";
import { networksOf } from "../../../src/fence/networks.ts";
import { cidrContains, cidrsOverlap, parseCidr, parseIpAddress } from "../../../src/resources/ip.ts";

for (const [given, v4, v6] of [
	[["172.22.0.1/24", "172.22.0.0/24"], ["172.22.0.0/24"], []],
	[["10.1.0.0/16", "10.0.0.0/8", "10.1.2.3"], ["10.0.0.0/8"], []],
	[
		["192.0.2.7", "fd00::5/64", "images.example.org", "300.1.1.1", "10.0.0.0/33"],
		["192.0.2.7/32"],
		["fd00::/64"],
	],
	[["0.0.0.0/0", "10.0.0.1"], ["0.0.0.0/0"], []],
	[[], [], []],
] as const)
	test(`${given.join(" ") || "nothing"} is ${[...v4, ...v6].join(" ") || "nothing"}`, (t) => {
		t.deepEqual(networksOf(given), { v4: [...v4], v6: [...v6] });
	});

const cidr = fc
	.tuple(fc.nat(255), fc.nat(3), fc.integer({ min: 6, max: 32 }))
	.map(([a, b, prefix]) => `10.${a}.${b}.0/${prefix}`);

test("networks of a set never overlap, and cover what was given", (t) => {
	fc.assert(
		fc.property(fc.array(cidr, { maxLength: 8 }), (given) => {
			const networks = networksOf(given).v4.map(parseCidr);
			for (const [index, one] of networks.entries())
				for (const other of networks.slice(index + 1)) t.false(cidrsOverlap(one, other));
			for (const text of given) {
				const address = parseIpAddress(text.split("/")[0] ?? "");
				t.true(
					networks.some((network) => cidrContains(network, address)),
					text,
				);
			}
		}),
	);
});
