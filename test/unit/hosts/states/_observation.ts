import test from "ava";
import type { HostAction, Observation, RunMemory } from "../../../../src/hosts/action.ts";
import { decide } from "../../../../src/hosts/decide.ts";
import type { IronicNode } from "../../../../src/ironic/node.ts";
import type { ProvisioningState } from "../../../../src/resources/bare-metal-host-status.ts";
import { host, IMAGE } from "../_fixtures.ts";
import { modelNode } from "../_model-ironic.ts";

/** What Ironic says of a server that runs the image. */
export const DEPLOYED = { image_source: IMAGE.url };

/** What a run sees of a host in a state, and of its node in Ironic. */
export function seen(
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

/** A run that has done nothing yet. */
export const NEW: RunMemory = {
	request: { kind: "none" },
	started: new Set(),
	powered: new Set(),
	configured: true,
};
export const external = host({ externallyProvisioned: true });
export const apart = host({}, { annotations: { "baremetalhost.metal3.io/detached": "" } });
export const inspecting = host({}, { annotations: { "inspect.metal3.io": "" } });
export const rebooting = (value: string) => host({}, { annotations: { "reboot.metal3.io": value } });

/** One test a row: what a run decides first. */
export function decides(table: readonly (readonly [title: string, Observation, HostAction])[]): void {
	for (const [title, observation, action] of table)
		test(title, (t) => t.deepEqual(decide(observation, NEW), action));
}
