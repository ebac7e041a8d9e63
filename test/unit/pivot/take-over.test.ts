import test from "ava";
import { takeOverState } from "../../../src/pivot/take-over.ts";
import { deployed, planOf } from "./_hosts.ts";

const [HOST] = planOf([deployed()], { allowLossy: true }).hosts;

function state(status: object, metadata: object = {}) {
	if (HOST === undefined) throw new TypeError("the plan has a host");
	const whole = { ...HOST.status, goodCredentials: { credentials: { name: "cp-0-bmc" } }, ...status };
	return takeOverState(HOST, {
		...HOST.object,
		metadata: { ...HOST.object.metadata, ...metadata },
		status: whole,
	});
}

test("a host is taken over once BMO has logged in to its BMC and is content", (t) => {
	t.deepEqual(state({}), { kind: "taken" });
	t.deepEqual(state({ goodCredentials: undefined }), {
		kind: "waiting",
		seen: "BMO has not registered it yet",
	});
	t.deepEqual(
		state({ operationalStatus: "error", errorType: "registration error", errorMessage: "no answer" }),
		{
			kind: "waiting",
			seen: "registration error: no answer",
		},
	);
	t.is(state({ operationalStatus: "detached" }).kind, "waiting");
});

for (const [what, status, metadata] of [
	["inspects it", { provisioning: { state: "inspecting" } }, {}],
	["wipes it", { provisioning: { state: "deprovisioning" } }, {}],
	["knows nothing of it", { provisioning: { state: "" } }, {}],
	["switches it off", { poweredOn: false }, {}],
	["deletes it", {}, { deletionTimestamp: "2026-08-02T08:00:00Z" }],
] as const)
	test(`nothing more is let go when BMO ${what}`, (t) => {
		t.is(state(status, metadata).kind, "wrong");
	});
