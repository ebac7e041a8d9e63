import test from "ava";
import { vrrpRouters } from "../../../src/linux/vrrp-listener.ts";

test("who answers for which addresses, out of what nft lists", (t) => {
	const heard4 = [
		{ concat: ["172.22.0.200", 1, 0xac160009] },
		{ concat: ["172.22.0.200", 1, 0xac160008] },
		{ concat: ["172.22.0.201", 51, 0xac1600fe] },
	];
	const heard6 = [{ concat: ["fe80::1", 7, "336295225171127963469789676465723277319"] }];
	const listing = [
		{ metainfo: {} },
		{ set: { name: "heard4", elem: heard4 } },
		{ set: { name: "heard6", elem: heard6 } },
	];
	t.deepEqual(vrrpRouters(listing), [
		{ address: "172.22.0.200", routerId: 1, virtualAddresses: ["172.22.0.9", "172.22.0.8"] },
		{ address: "172.22.0.201", routerId: 51, virtualAddresses: ["172.22.0.254"] },
		{ address: "fe80::1", routerId: 7, virtualAddresses: ["fd00:1abc::7"] },
	]);
});

test("a network without any", (t) => {
	t.deepEqual(vrrpRouters([{ set: { name: "heard4" } }, { set: { name: "heard6" } }]), []);
});
