import test from "ava";
import { judge, type Recorded } from "../../../../lab/checker/pivot-timeline.ts";

const PAUSED = { "baremetalhost.metal3.io/paused": "x", "baremetalhost.metal3.io/status": "{}" };

function written(second: number, verb: string, object: object, code = 200, query = ""): string {
	return JSON.stringify({
		stage: "ResponseComplete",
		verb,
		requestURI: `/apis/metal3.io/v1alpha1/namespaces/metal3/baremetalhosts/cp-0${query}`,
		stageTimestamp: at(second),
		objectRef: { resource: "baremetalhosts", namespace: "metal3", name: "cp-0" },
		responseStatus: { code },
		responseObject: { kind: "BareMetalHost", ...object },
	});
}

const at = (second: number) => `2026-08-02T08:00:${String(second).padStart(2, "0")}.000000Z`;
const paused = { metadata: { annotations: PAUSED } };
const free = { metadata: { annotations: {} } };
const created = written(10, "patch", paused, 201);
const released = written(20, "patch", free);

/** A hand-over without a fault; the conductor ends at second 5. */
const good: Recorded = {
	audit: [created, released].join("\n"),
	conductor: [
		{ at: Date.parse(at(1)), what: "start" },
		{ at: Date.parse(at(5)), what: "end" },
	],
	bmc: [
		{ method: "GET", path: "/redfish/v1/Systems/1" },
		{ method: "POST", path: "/redfish/v1/SessionService/Sessions" },
	],
	operators: [{ event: "registered", host: "metal3/cp-0" }],
	hosts: ["metal3/cp-0"],
	end: "target",
};

test("a good hand-over is clean, and so is one that was taken back before anything was let go", (t) => {
	const clean = { doubleManagers: [], lostHosts: [], bmcWrites: [], unsafeCreations: [] };
	t.deepEqual(judge(good), clean);
	const back = { ...good, audit: `${created}\n${written(12, "delete", {})}`, end: "source" as const };
	t.deepEqual(
		judge({ ...back, conductor: [...good.conductor, { at: Date.parse(at(30)), what: "start" }] }),
		clean,
	);
});

test("the source's conductor running while the target manages a host is found, also for an instant", (t) => {
	const late = [
		{ at: Date.parse(at(1)), what: "start" as const },
		{ at: Date.parse(at(21)), what: "end" as const },
	];
	t.deepEqual(judge({ ...good, conductor: late }).doubleManagers, ["metal3/cp-0: 2026-08-02T08:00:20.000Z"]);
	const back = [...good.conductor, { at: Date.parse(at(40)), what: "start" as const }];
	t.is(judge({ ...good, conductor: back }).doubleManagers.length, 1);
	const detached = written(30, "update", { ...free, status: { operationalStatus: "detached" } });
	t.is(judge({ ...good, audit: `${good.audit}\n${detached}`, conductor: back }).doubleManagers.length, 0);
});

test("hosts without a manager, with the wrong one, or touched on the way are lost", (t) => {
	t.is(judge({ ...good, audit: created }).lostHosts.length, 1);
	t.is(judge({ ...good, end: "source" }).lostHosts.length, 1);
	t.deepEqual(judge({ ...good, operators: [{ event: "inspected", host: "metal3/cp-0" }] }).lostHosts, [
		"metal3/cp-0 was inspected",
	]);
});

test("writes to a BMC and unsafe creations are found; tries and refusals are no writes", (t) => {
	const bmc = [{ method: "POST", path: "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset" }];
	t.deepEqual(judge({ ...good, bmc }).bmcWrites, ["POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset"]);
	const bare = written(10, "patch", free, 201);
	t.deepEqual(judge({ ...good, audit: `${bare}\n${released}` }).unsafeCreations, ["metal3/cp-0"]);
	const tried = written(9, "patch", free, 201, "?dryRun=All");
	const refused = written(9, "patch", free, 403);
	t.deepEqual(judge({ ...good, audit: [tried, refused, good.audit].join("\n") }).unsafeCreations, []);
});
