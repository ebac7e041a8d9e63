import test from "ava";
import type { Operation } from "../../../src/hosts/action.ts";
import { decide } from "../../../src/hosts/decide.ts";
import type { ProvisionState } from "../../../src/ironic/node.ts";
import type { ErrorType, ProvisioningState } from "../../../src/resources/bare-metal-host-status.ts";
import { host, IMAGE } from "./_fixtures.ts";
import { NEW, seen } from "./states/_observation.ts";

/* What holds in every state; the states one by one are in states/. */

test("what this run started and saw fail is told, not retried", (t) => {
	const memory = (operation: Operation) => ({ ...NEW, started: new Set([operation]) });
	const told = (
		state: ProvisioningState,
		provision_state: ProvisionState,
		operation: Operation,
	): ErrorType | undefined => {
		const action = decide(seen(state, { provision_state, last_error: "x" }), memory(operation));
		return action.kind === "fail" ? action.errorType : undefined;
	};
	t.is(told("registering", "enroll", "register"), "registration error");
	t.is(told("inspecting", "inspect failed", "inspect"), "inspection error");
	t.is(told("preparing", "clean failed", "prepare"), "preparation error");
	t.is(told("provisioning", "deploy failed", "provision"), "provisioning error");
	t.is(told("provisioned", "adopt failed", "adopt"), "provisioned registration error");
});

test("an inspection that failed and is switched off since is not tried again", (t) => {
	const switchedOff = host({ inspectionMode: "disabled" });
	t.deepEqual(decide(seen("inspecting", { provision_state: "inspect failed" }, { host: switchedOff }), NEW), {
		kind: "change",
		target: "manage",
	});
});

test("a changed BMC password reaches a running server's node, once", (t) => {
	const subject = seen(
		"provisioned",
		{ provision_state: "active" },
		{ deployedImage: IMAGE.url, outdated: true },
	);
	t.deepEqual(decide(subject, { ...NEW, configured: false }), { kind: "configure" });
	t.deepEqual(decide(subject, NEW), { kind: "settled" });
});

test("an existing node gets the manifest's values before anything is started", (t) => {
	const action = decide(seen("inspecting", { provision_state: "inspect failed" }), {
		...NEW,
		configured: false,
	});
	t.deepEqual(action, { kind: "configure" });
});
