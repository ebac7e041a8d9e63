import test from "ava";
import type { HostAction, Observation, RunMemory } from "../../../src/hosts/action.ts";
import { decide } from "../../../src/hosts/decide.ts";
import { removalStep } from "../../../src/hosts/steps.ts";
import type { IronicNode } from "../../../src/ironic/node.ts";
import type { ProvisioningState } from "../../../src/resources/bare-metal-host-status.ts";
import { host, IMAGE, memoryStore, NOW, run, site } from "./_fixtures.ts";
import { modelIronic } from "./_model-ironic.ts";
import { NEW, seen as seenNew } from "./states/_observation.ts";

const MEMORY: RunMemory = { ...NEW, request: { kind: "remove" } };

const seen = (state: ProvisioningState, node: Partial<IronicNode> | undefined, spec = {}): Observation =>
	seenNew(state, node, { host: host(spec), hardwareKnown: true });

/** BMO's deletion, row by row (host_state_machine.go, checkInitiateDelete). */
const TABLE: readonly (readonly [title: string, Observation, HostAction])[] = [
	["not in Ironic (detached)", seen("provisioned", undefined), { kind: "delete" }],
	[
		"provisioned",
		seen("provisioned", { provision_state: "active" }),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"provisioning",
		seen("provisioning", { provision_state: "wait call-back" }),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"provisioning, in a step that cannot be stopped",
		seen("provisioning", { provision_state: "deploying" }),
		{ kind: "wait", operation: "provision" },
	],
	[
		"deprovisioning",
		seen("deprovisioning", { provision_state: "active" }),
		{ kind: "change", target: "deleted", operation: "deprovision" },
	],
	[
		"deprovisioned",
		seen("deprovisioning", { provision_state: "available" }),
		{ kind: "record", state: "powering off before delete" },
	],
	[
		"available",
		seen("available", { provision_state: "available" }),
		{ kind: "record", state: "powering off before delete" },
	],
	[
		"externally provisioned: not undeployed",
		seen("externally provisioned", { provision_state: "active" }),
		{ kind: "record", state: "powering off before delete" },
	],
	[
		"registering: at once, power untouched",
		seen("registering", { provision_state: "enroll" }),
		{ kind: "record", state: "deleting" },
	],
	[
		"to be switched off",
		seen("powering off before delete", { provision_state: "available" }),
		{ kind: "power", target: "power off" },
	],
	[
		"never to be switched off",
		seen("powering off before delete", { provision_state: "active" }, { disablePowerOff: true }),
		{ kind: "record", state: "deleting" },
	],
	[
		"switched off",
		seen("powering off before delete", { provision_state: "available", power_state: "power off" }),
		{ kind: "record", state: "deleting" },
	],
	["to be deleted", seen("deleting", { provision_state: "available" }), { kind: "delete" }],
	[
		"a ramdisk is waited for",
		seen("inspecting", { provision_state: "inspect wait" }),
		{ kind: "change", target: "abort", operation: "abort" },
	],
	[
		"frozen for a pivot",
		seen("provisioned", {
			provision_state: "active",
			maintenance: true,
			maintenance_reason: "ironstrap.io/r-1",
		}),
		{ kind: "refuse", code: "host-frozen" },
	],
];

for (const [title, observation, action] of TABLE)
	test(`removal: ${title}`, (t) => t.deepEqual(decide(observation, MEMORY), action));

test("a provisioned host is undeployed, switched off, deleted and forgotten, also if killed after any change", async (t) => {
	const whole = ["deleted", "power off", "maintenance", "delete-node"];
	for (let killAfter = 0; killAfter <= whole.length; killAfter += 1) {
		const ironic = modelIronic();
		const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
		await run(host(), context, ironic);
		ironic.changes.length = 0;
		ironic.killAfter = killAfter;
		const remove = () => run(host(), context, ironic, [removalStep(host())]);
		await remove().catch(() => undefined);
		ironic.killAfter = Number.POSITIVE_INFINITY;
		await remove();
		t.deepEqual(ironic.changes, whole);
		t.deepEqual(ironic.nodes, []);
		t.is(context.store.hosts.size, 0);
	}
});

test("a removed host that is declared again is a new one", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	await run(host(), context, ironic);
	await run(host(), context, ironic, [removalStep(host())]);
	await run(host(), context, ironic);
	t.like(context.store.hosts.get("metal3/cp-0")?.status.provisioning, { state: "provisioned", image: IMAGE });
});
