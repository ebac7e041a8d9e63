import test from "ava";
import { createFaults } from "../../../../lab/bmc/faults.ts";

test("a fault strikes only what its filter names", (t) => {
	const faults = createFaults([{ kind: "status", status: 500, method: "GET", path: "/Systems/" }]);
	t.is(faults.take("status", "POST", "/redfish/v1/Systems/x"), undefined);
	t.is(faults.take("status", "GET", "/redfish/v1/Managers"), undefined);
	t.is(faults.take("drop", "GET", "/redfish/v1/Systems/x"), undefined);
	t.is(faults.take("status", "GET", "/redfish/v1/Systems/x")?.status, 500);
});

test("a counted fault ends by itself", (t) => {
	const faults = createFaults([{ kind: "drop", times: 2 }]);
	const struck = [1, 2, 3].map(() => faults.take("drop", "GET", "/") !== undefined);
	t.deepEqual(struck, [true, true, false]);
});

test("a new list replaces the old one", (t) => {
	const faults = createFaults([{ kind: "reject-credentials" }]);
	faults.set([]);
	t.is(faults.take("reject-credentials", "GET", "/"), undefined);
});
