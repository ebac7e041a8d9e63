import test from "ava";
import { missingFaults, readBackFaults } from "../../../src/pivot/compare.ts";

test("what a server fills in by default, and nulls that it does not keep, are no difference", (t) => {
	const written = { state: "provisioned", history: { start: "2026", end: null }, list: [{ a: 1 }] };
	const found = {
		state: "provisioned",
		history: { start: "2026" },
		list: [{ a: 1 }],
		count: 0,
		on: false,
		text: "",
	};
	t.deepEqual(readBackFaults(written, found, "status"), []);
});

for (const [what, written, found, fault] of [
	["a changed value", { url: "a" }, { url: "b" }, 'status.url: "b" instead of "a"'],
	["a lost value", { url: "a" }, {}, 'status.url: nothing instead of "a"'],
	["an added value", {}, { state: "inspecting" }, 'status.state: there is "inspecting"'],
	["a shorter list", { l: [1, 2] }, { l: [1] }, "status.l: [1] instead of [1,2]"],
	["another item", { l: [{ a: 1 }] }, { l: [{ a: 2 }] }, "status.l[0].a: 2 instead of 1"],
	["no object at all", { o: { a: 1 } }, { o: "x" }, 'status.o: "x" instead of {"a":1}'],
	["false where it was true", { on: true }, { on: false }, "status.on: false instead of true"],
] as const)
	test(`${what} is a difference`, (t) => {
		t.deepEqual(readBackFaults(written, found, "status"), [fault]);
	});

test("where a schema has defaults of its own, only what was written counts", (t) => {
	const found = { networking: { ipAddress: "a", apiPort: 6385 }, list: [1] };
	t.deepEqual(missingFaults({ networking: { ipAddress: "a" }, list: [1] }, found, "spec"), []);
	t.deepEqual(missingFaults({ networking: { ipAddress: "b" }, tls: { a: 1 }, list: [2] }, found, "spec"), [
		'spec.networking.ipAddress: "a" instead of "b"',
		'spec.tls: nothing instead of {"a":1}',
		"spec.list[0]: 1 instead of 2",
	]);
});
