import test from "ava";
import { formatAge, hostRows } from "../../../src/hosts/rows.ts";
import { recorded } from "../../../src/hosts/status.ts";
import { host, site } from "./_fixtures.ts";
import { modelNode } from "./_model-ironic.ts";

const NOW = Date.parse("2026-08-01T12:00:00Z");

test("rows are the columns of kubectl get bmh", (t) => {
	const cp0 = host({ consumerRef: { name: "cp-0-machine" } });
	const unmanaged = host({ bmc: undefined, online: false, image: undefined }, { name: "spare" });
	const node = modelNode({ provision_state: "manageable" });
	const stored = recorded(cp0, undefined, { state: "registering", node, now: "2026-08-01T11:50:00Z" });
	const gone = { ...stored, name: "gone" };
	t.deepEqual(hostRows(site([cp0, unmanaged]), [stored, gone], NOW), [
		{
			namespace: "metal3",
			name: "cp-0",
			status: "OK",
			state: "registering",
			consumer: "cp-0-machine",
			bmc: "redfish+http://192.168.222.1:8000/redfish/v1/Systems/cp-0",
			online: "true",
			error: "",
			age: "10m",
		},
		{
			namespace: "metal3",
			name: "spare",
			status: "",
			state: "unmanaged",
			consumer: "",
			bmc: "",
			online: "false",
			error: "",
			age: "",
		},
		{
			namespace: "metal3",
			name: "gone",
			status: "OK",
			state: "registering",
			consumer: "",
			bmc: "",
			online: "",
			error: "",
			age: "10m",
		},
	]);
});

test("ages are written as kubectl writes them", (t) => {
	const second = 1000;
	const [minute, hour, day] = [60 * second, 3600 * second, 86_400 * second];
	for (const [ms, text] of [
		[0, "0s"],
		[119 * second, "119s"],
		[2 * minute, "2m"],
		[5 * minute + 10 * second, "5m10s"],
		[10 * minute + 59 * second, "10m"],
		[179 * minute, "179m"],
		[3 * hour, "3h"],
		[7 * hour + 59 * minute, "7h59m"],
		[8 * hour + 59 * minute, "8h"],
		[47 * hour, "47h"],
		[2 * day, "2d"],
		[4 * day + 2 * hour, "4d2h"],
		[8 * day + 5 * hour, "8d"],
		[741 * day, "2y11d"],
		[9 * 365 * day, "9y"],
		[-5, "0s"],
	] as const)
		t.is(formatAge(ms), text);
});
