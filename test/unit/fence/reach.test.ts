import test from "ava";
import { containersReach } from "../../../src/fence/reach.ts";

const set = (name: string, comment: string, elements: readonly string[]) => ({
	...{ name, comment, elements },
	properties: [],
});

test("what containers may reach, in the order of importance, without what has no address", (t) => {
	const sets = [
		set("servers", "networks that servers come from by the provisioning interface", ["172.22.0.0/24"]),
		set("known_macs", "servers of the site, as their frames say", ["52:54:00:ab:00:01"]),
		set("bmc_services", "the site's BMCs", ["192.168.222.2 . tcp . 8000"]),
		set("allowed", "what fence.allow names", []),
	];
	t.deepEqual(containersReach(sets), [
		{ what: "the site's BMCs", to: ["192.168.222.2 . tcp . 8000"] },
		{ what: "networks that servers come from by the provisioning interface", to: ["172.22.0.0/24"] },
	]);
});
