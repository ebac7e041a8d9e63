import test from "ava";
import fc from "fast-check";
import type { ProvisionState } from "../../../src/ironic/node.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import {
	type ErrorType,
	type ProvisioningState,
	provisioningStateSchema,
} from "../../../src/resources/bare-metal-host-status.ts";
import { host, IMAGE, memoryStore, NOW, run, site } from "./_fixtures.ts";
import { type ModelIronic, modelIronic, modelNode, UUID } from "./_model-ironic.ts";
import { DEPLOYED } from "./states/_observation.ts";

const STATES = provisioningStateSchema.options;
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
