import test from "ava";
import fc from "fast-check";
import type { HostAction, Observation, Operation, RunMemory } from "../../../src/hosts/action.ts";
import { decide } from "../../../src/hosts/decide.ts";
import type { IronicNode, ProvisionState } from "../../../src/ironic/node.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { ErrorType, ProvisioningState } from "../../../src/resources/bare-metal-host-status.ts";
import { host, IMAGE, memoryStore, NOW, run, site } from "./_fixtures.ts";
import { type ModelIronic, modelIronic, modelNode, UUID } from "./_model-ironic.ts";

const DEPLOYED = { image_source: IMAGE.url };

function seen(
	state: ProvisioningState,
	node: Partial<IronicNode> | undefined,
	more: Partial<Observation> = {},
): Observation {
	return {
		host: host(),
		state,
		detached: false,
		hardwareKnown: false,
		answered: [],
		outdated: false,
		deployedImage: undefined,
		deployedMethod: "",
		gaveUp: false,
		stale: false,
		node: node === undefined ? undefined : modelNode({ power_state: "power on", ...node }),
		port: "own",
		inventoried: false,
		...more,
	};
}

const NEW: RunMemory = {
	request: { kind: "none" },
	started: new Set(),
	powered: new Set(),
	configured: true,
};
const external = host({ externallyProvisioned: true });
const apart = host({}, { annotations: { "baremetalhost.metal3.io/detached": "" } });
const inspecting = host({}, { annotations: { "inspect.metal3.io": "" } });
const rebooting = (value: string) => host({}, { annotations: { "reboot.metal3.io": value } });

const TABLE: readonly (readonly [title: string, Observation, HostAction])[] = [
	["nothing known yet: enrol", seen("", undefined), { kind: "enrol" }],
	[
		"enrolled without a port",
		seen("registering", { provision_state: "enroll" }, { port: "missing" }),
		{ kind: "create-port" },
	],
	[
		"another node has the MAC address",
		seen("", undefined, { port: "foreign" }),
		{ kind: "refuse", code: "host-port-taken" },
	],
	[
		"enrolled: verify",
		seen("registering", { provision_state: "enroll" }),
		{ kind: "change", target: "manage", operation: "register" },
	],
	[
		"verifying",
		seen("registering", { provision_state: "verifying" }),
		{ kind: "wait", operation: "register" },
	],
	[
		"verified",
		seen("registering", { provision_state: "manageable" }),
		{ kind: "record", state: "inspecting" },
	],
	[
		"verified, inspection disabled",
		seen("registering", { provision_state: "manageable" }, { host: host({ inspectionMode: "disabled" }) }),
		{ kind: "record", state: "preparing" },
	],
	[
		"verified, inspection disabled by annotation",
		seen(
			"registering",
			{ provision_state: "manageable" },
			{ host: host({}, { annotations: { "inspect.metal3.io": "disabled" } }) },
		),
		{ kind: "record", state: "preparing" },
	],
	[
		"verified, external",
		seen("registering", { provision_state: "manageable" }, { host: external }),
		{ kind: "record", state: "externally provisioned" },
	],
	[
		"to be inspected",
		seen("inspecting", { provision_state: "manageable" }),
		{ kind: "change", target: "inspect", operation: "inspect" },
	],
	[
		"inspected while nobody looked",
		seen("inspecting", { provision_state: "manageable" }, { inventoried: true }),
		{ kind: "record", state: "preparing" },
	],
	[
		"inspect wait",
		seen("inspecting", { provision_state: "inspect wait" }),
		{ kind: "wait", operation: "inspect" },
	],
	[
		"to be cleaned",
		seen("preparing", { provision_state: "manageable" }),
		{ kind: "change", target: "provide", operation: "prepare" },
	],
	["cleaned", seen("preparing", { provision_state: "available" }), { kind: "record", state: "available" }],
	[
		"clean failed long ago",
		seen("preparing", { provision_state: "clean failed", maintenance: true, fault: "clean failure" }),
		{ kind: "clear-maintenance" },
	],
	[
		"available with an image",
		seen("available", { provision_state: "available" }),
		{ kind: "record", state: "provisioning" },
	],
	[
		"available, but to stay offline",
		seen(
			"available",
			{ provision_state: "available", power_state: "power off" },
			{ host: host({ online: false }) },
		),
		{ kind: "settled" },
	],
	[
		"available without an image",
		seen("available", { provision_state: "available" }, { host: host({ image: undefined }) }),
		{ kind: "settled" },
	],
	["to be deployed", seen("provisioning", { provision_state: "available" }), { kind: "deploy" }],
	[
		"deploy wait",
		seen("provisioning", { provision_state: "wait call-back" }),
		{ kind: "wait", operation: "provision" },
	],
	["deploy failed long ago", seen("provisioning", { provision_state: "deploy failed" }), { kind: "deploy" }],
	[
		"deployed",
		seen("provisioning", { provision_state: "active", instance_info: DEPLOYED }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"provisioned",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url }),
		{ kind: "settled" },
	],
	[
		"provisioned, powered off by someone",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url },
		),
		{ kind: "power", target: "power on" },
	],
	[
		"provisioned, never to be powered off",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ online: false, disablePowerOff: true }) },
		),
		{ kind: "settled" },
	],
	[
		"provisioned, now another image is asked for",
		seen("provisioned", { provision_state: "active" }, { deployedImage: "http://old" }),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"provisioned, now no image is asked for",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ image: undefined }) },
		),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"provisioned, another checksum of the same URL: not compared",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ image: { ...IMAGE, checksum: "0".repeat(64) } }) },
		),
		{ kind: "settled" },
	],
	[
		"provisioned, what is deployed is not known: not another image",
		seen("provisioned", { provision_state: "active" }, { deployedImage: "" }),
		{ kind: "settled" },
	],
	[
		"another image, but frozen for a pivot",
		seen(
			"provisioned",
			{ provision_state: "active", maintenance: true, maintenance_reason: "ironstrap.io/r-1" },
			{ deployedImage: "http://old" },
		),
		{ kind: "refuse", code: "host-frozen" },
	],
	[
		"no image, but externally provisioned from now on",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ image: undefined, externallyProvisioned: true }) },
		),
		{ kind: "record", state: "externally provisioned" },
	],
	[
		"to be undeployed",
		seen("deprovisioning", { provision_state: "active" }),
		{ kind: "change", target: "deleted", operation: "deprovision" },
	],
	[
		"to be undeployed, but wanted again",
		seen("deprovisioning", { provision_state: "active" }, { deployedImage: IMAGE.url }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"being undeployed",
		seen("deprovisioning", { provision_state: "deleting" }),
		{ kind: "wait", operation: "deprovision" },
	],
	[
		"cleaned as part of that",
		seen("deprovisioning", { provision_state: "clean wait" }),
		{ kind: "wait", operation: "deprovision" },
	],
	[
		"undeploying failed long ago",
		seen("deprovisioning", { provision_state: "error" }),
		{ kind: "change", target: "deleted", operation: "deprovision" },
	],
	[
		"undeployed",
		seen("deprovisioning", { provision_state: "available" }),
		{ kind: "record", state: "available" },
	],
	[
		"another image while the first is being written",
		seen("provisioning", {
			provision_state: "wait call-back",
			instance_info: { image_source: "http://old" },
		}),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"the deployment failed, and no image is wanted any more",
		seen("provisioning", { provision_state: "deploy failed" }, { host: host({ image: undefined }) }),
		{ kind: "record", state: "deprovisioning" },
	],
	[
		"paused",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{
				deployedImage: "http://old",
				host: host({}, { annotations: { "baremetalhost.metal3.io/paused": "" } }),
			},
		),
		{ kind: "settled" },
	],
	[
		"provisioned, to be detached",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url, host: apart }),
		{ kind: "detach" },
	],
	["detached", seen("provisioned", undefined, { detached: true, host: apart }), { kind: "settled" }],
	[
		"detached, the annotation is gone: taken over again",
		seen("provisioned", undefined, { detached: true, port: "missing" }),
		{ kind: "enrol" },
	],
	[
		"to be detached, but not before it is deployed",
		seen("provisioning", { provision_state: "deploying" }, { host: apart }),
		{ kind: "wait", operation: "provision" },
	],
	[
		"switched off",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ online: false }) },
		),
		{ kind: "power", target: "soft power off" },
	],
	[
		"an empty server is switched off without asking it",
		seen("available", { provision_state: "available" }, { host: host({ image: undefined, online: false }) }),
		{ kind: "power", target: "power off" },
	],
	[
		"an empty server is switched on",
		seen(
			"available",
			{ provision_state: "available", power_state: "power off" },
			{ host: host({ image: undefined }) },
		),
		{ kind: "power", target: "power on" },
	],
	[
		"a reboot is asked for",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url, host: rebooting("") }),
		{ kind: "power", target: "soft power off" },
	],
	[
		"a hard reboot is asked for",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: rebooting('{"mode":"hard"}') },
		),
		{ kind: "power", target: "power off" },
	],
	[
		"half-way through a reboot",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url, host: rebooting("") },
		),
		{ kind: "record", state: "provisioned", answers: "reboot" },
	],
	[
		"the second half of a reboot",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url, host: rebooting(""), answered: ["reboot.metal3.io="] },
		),
		{ kind: "power", target: "power on" },
	],
	[
		"a reboot that was answered before",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: rebooting(""), answered: ["reboot.metal3.io="] },
		),
		{ kind: "settled" },
	],
	[
		"kept off by somebody's key",
		seen(
			"provisioned",
			{ provision_state: "active", power_state: "power off" },
			{ deployedImage: IMAGE.url, host: host({}, { annotations: { "reboot.metal3.io/repair": "" } }) },
		),
		{ kind: "settled" },
	],
	[
		"a reboot of a server that is never to be off",
		seen(
			"provisioned",
			{ provision_state: "active" },
			{ deployedImage: IMAGE.url, host: host({ disablePowerOff: true }, rebooting("").metadata) },
		),
		{ kind: "power", target: "rebooting" },
	],
	[
		"a reboot of an empty server: not without a system",
		seen(
			"available",
			{ provision_state: "available" },
			{ host: host({ image: undefined }, rebooting("").metadata) },
		),
		{ kind: "settled" },
	],
	[
		"inspected anew on request",
		seen("available", { provision_state: "available" }, { host: inspecting, hardwareKnown: true }),
		{ kind: "record", state: "inspecting", answers: "inspect" },
	],
	[
		"that request was answered",
		seen(
			"available",
			{ provision_state: "available" },
			{ host: inspecting, hardwareKnown: true, answered: ["inspect.metal3.io="] },
		),
		{ kind: "record", state: "provisioning" },
	],
	[
		"a deployed server is not inspected, whoever asks",
		seen("provisioned", { provision_state: "active" }, { deployedImage: IMAGE.url, host: inspecting }),
		{ kind: "settled" },
	],
	[
		"a changed BMC password waits for the end of what is under way",
		seen("provisioning", { provision_state: "deploying" }, { outdated: true }),
		{ kind: "wait", operation: "provision" },
	],
	[
		"a fault's maintenance of a running server",
		seen(
			"provisioned",
			{ provision_state: "active", maintenance: true, fault: "power failure" },
			{ deployedImage: IMAGE.url },
		),
		{ kind: "clear-maintenance" },
	],
	[
		"provisioned, Ironic's database lost",
		seen("provisioned", undefined, { port: "missing" }),
		{ kind: "enrol" },
	],
	[
		"provisioned, node enrolled again",
		seen("provisioned", { provision_state: "manageable" }),
		{ kind: "change", target: "adopt", operation: "adopt" },
	],
	[
		"provisioned, but the node is available",
		seen("provisioned", { provision_state: "available" }),
		{ kind: "refuse", code: "host-undeployed" },
	],
	[
		"status lost, server runs our image",
		seen("", { provision_state: "active", instance_info: DEPLOYED }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"status lost, server runs something else",
		seen("", { provision_state: "active" }),
		{ kind: "refuse", code: "host-already-deployed" },
	],
	[
		"external flag taken away: provisioned, as it is",
		seen("externally provisioned", { provision_state: "manageable" }),
		{ kind: "record", state: "provisioned" },
	],
	[
		"external flag taken away, without an image",
		seen("externally provisioned", { provision_state: "manageable" }, { host: host({ image: undefined }) }),
		{ kind: "refuse", code: "host-already-deployed" },
	],
	[
		"frozen for a pivot",
		seen("provisioning", {
			provision_state: "available",
			maintenance: true,
			maintenance_reason: "ironstrap.io/r-1",
		}),
		{ kind: "refuse", code: "host-frozen" },
	],
	[
		"a removal was begun, and the host is declared again",
		seen("powering off before delete", { provision_state: "available" }),
		{ kind: "record", state: "available" },
	],
	[
		"rescue mode",
		seen("provisioned", { provision_state: "rescue" }),
		{ kind: "refuse", code: "host-foreign-state" },
	],
	[
		"RAID is not ours",
		seen("", undefined, { host: host({ raid: { softwareRAIDVolumes: [{ level: "1" }] } }) }),
		{ kind: "refuse", code: "host-unsupported" },
	],
];

for (const [title, observation, action] of TABLE)
	test(title, (t) => t.deepEqual(decide(observation, NEW), action));

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

const STATES: readonly ProvisioningState[] = [
	"",
	"unmanaged",
	"registering",
	"match profile",
	"preparing",
	"ready",
	"available",
	"provisioning",
	"provisioned",
	"externally provisioned",
	"deprovisioning",
	"inspecting",
	"powering off before delete",
	"deleting",
];
const PROVISION_STATES: readonly ProvisionState[] = [
	"enroll",
	"verifying",
	"manageable",
	"available",
	"active",
	"error",
	"inspecting",
	"inspect wait",
	"inspect failed",
	"cleaning",
	"clean wait",
	"clean hold",
	"clean failed",
	"deploying",
	"wait call-back",
	"deploy hold",
	"deploy failed",
	"deleting",
	"adopting",
	"adopt failed",
	"rescue",
	"rescuing",
	"rescue failed",
	"service",
	"service failed",
];

interface Start {
	readonly ironic: ModelIronic;
	readonly stored: ProvisioningState;
	readonly spec: Record<string, unknown>;
	readonly errorType: ErrorType | undefined;
	readonly hardware: boolean;
}

const start: fc.Arbitrary<Start> = fc
	.record({
		stored: fc.constantFrom(...STATES),
		provision: fc.option(fc.constantFrom(...PROVISION_STATES), { nil: undefined }),
		port: fc.boolean(),
		maintenance: fc.boolean(),
		lastError: fc.boolean(),
		power: fc.constantFrom("power on" as const, "power off" as const, null),
		image: fc.constantFrom({}, DEPLOYED, { image_source: "http://172.22.0.1/other" }),
		hardware: fc.boolean(),
		errorType: fc.option(fc.constantFrom("inspection error" as const, "provisioning error" as const), {
			nil: undefined,
		}),
		spec: fc.constantFrom<Record<string, unknown>[]>(
			{},
			{ externallyProvisioned: true },
			{ image: undefined },
			{ online: false },
			{ inspectionMode: "disabled" },
		),
		failures: fc.array(
			fc.constantFrom<ProvisionState[]>(
				"verifying",
				"inspecting",
				"inspect wait",
				"cleaning",
				"clean wait",
				"deploying",
				"wait call-back",
				"adopting",
				"deleting",
			),
			{ maxLength: 4 },
		),
	})
	.map(({ provision, port, maintenance, lastError, power, image, failures, ...rest }) => {
		const nodes =
			provision === undefined
				? []
				: [
						modelNode({
							provision_state: provision,
							maintenance,
							last_error: lastError ? "something" : null,
							power_state: power,
							instance_info: image,
						}),
					];
		const ironic = modelIronic(
			nodes,
			port && nodes.length > 0
				? [{ uuid: "p", address: "52:54:00:ab:00:01", node_uuid: UUID, pxe_enabled: true }]
				: [],
		);
		for (const state of failures)
			ironic.failures.set(state, [...(ironic.failures.get(state) ?? []), "it broke"]);
		return { ironic, ...rest };
	});

function prepare({ ironic, stored, spec, errorType, hardware }: Start) {
	const subject = host(spec);
	const store = memoryStore([
		{
			formatVersion: 1,
			namespace: "metal3",
			name: "cp-0",
			...(hardware ? { hardware: {} } : {}),
			status: {
				operationalStatus: errorType === undefined ? "OK" : "error",
				errorType,
				errorMessage: "",
				errorCount: 0,
				provisioningFailCount: 0,
				poweredOn: false,
				provisioning: { state: stored, ID: UUID, ...(stored === "provisioned" ? { image: IMAGE } : {}) },
			},
		},
	]);
	return {
		subject,
		store,
		go: () => run(subject, { site: site([subject]), ironic, store, now: NOW }, ironic),
	};
}

test("property: from any state every run ends, with few changes, settled or with an error that says what to do", async (t) => {
	await fc.assert(
		fc.asyncProperty(start, async (given) => {
			const { go } = prepare(given);
			try {
				await go();
			} catch (error) {
				if (!(error instanceof IronstrapError)) throw error;
				if (error.code.startsWith("host-") && (error.fix ?? "") === "")
					throw new Error(`no fix: ${error.code}`);
				if (error.code.startsWith("ironic-"))
					throw new Error(`Ironic refused: ${error.message} ${given.ironic.changes}`);
			}
			return given.ironic.changes.length <= 20;
		}),
		{ numRuns: 3000 },
	);
	t.pass();
});

test("property: once nothing fails any more, repeated runs reach a fixed point where nothing is changed", async (t) => {
	await fc.assert(
		fc.asyncProperty(start, async (given) => {
			const { go } = prepare(given);
			const codes: (string | undefined)[] = [];
			for (let round = 0; round < 8; round += 1)
				codes.push(
					await go().then(
						() => undefined,
						(error: IronstrapError) => error.code,
					),
				);
			const changes = given.ironic.changes.length;
			const last = await go().then(
				() => undefined,
				(error: IronstrapError) => error.code,
			);
			if (given.ironic.changes.length !== changes)
				throw new Error(`still changing: ${given.ironic.changes.slice(changes)}`);
			return (
				last === undefined ||
				[
					"host-frozen",
					"host-already-deployed",
					"host-undeployed",
					"host-foreign-state",
					"host-no-callback",
					"host-prepare-failed",
					"host-deprovision-failed",
					"host-provision-failed",
					"host-bmc-unreachable",
				].includes(last)
			);
		}),
		{ numRuns: 1500 },
	);
	t.pass();
});
