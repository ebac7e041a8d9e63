import type { Action } from "./actions.ts";
import type { DesiredProject } from "./desired.ts";
import { defaultGraceSeconds, graceOf } from "./duration.ts";
import type { ObservedProject } from "./observed.ts";
import { type Change, containerChange, type Disturbances, networkChange, volumeChange } from "./verdict.ts";

/** What becomes of one object, and why: what `plan` prints. */
export interface PlannedChange {
	readonly kind: "network" | "volume" | "container" | "one-shot";
	readonly name: string;
	readonly change: Change;
	readonly reason: string;
}

export interface Plan {
	readonly changes: readonly PlannedChange[];
	/** In order. Empty when the engine already has everything as desired. */
	readonly actions: readonly Action[];
}

/**
 * Compares by labels only: what an engine shows on inspection differs between engines and versions even where
 * nothing changed. Removals come first, dependents before what they depend on: a new schema must not be made under
 * a running old Ironic.
 *
 * @param editedFiles paths (as in `DesiredContainer.files`) whose content on this machine is not what was rendered
 */
export function planConvergence(
	desired: DesiredProject,
	observed: ObservedProject,
	editedFiles: readonly string[] = [],
): Plan {
	const networks = desired.networks.map((network) => ({
		network,
		...networkChange(network, observed.networks),
	}));
	const volumes = desired.volumes.map((volume) => ({ volume, ...volumeChange(volume, observed.volumes) }));
	const disturbed: Disturbances = {
		newNetworks: new Set(
			networks.filter(({ change }) => change !== "keep").map(({ network }) => network.key),
		),
		newVolumes: new Set(volumes.filter(({ change }) => change === "create").map(({ volume }) => volume.key)),
		editedFiles: new Set(editedFiles),
	};
	const containers = desired.containers.map((container) => ({
		container,
		...containerChange(container, desired, observed.containers, disturbed),
	}));
	const strays = observed.containers.filter(
		({ name }) => !desired.containers.some((wanted) => wanted.name === name),
	);
	const strayNetworks = observed.networks.filter(
		({ name }) => !desired.networks.some((wanted) => wanted.name === name),
	);
	const strayVolumes = observed.volumes.filter(
		({ name }) => !desired.volumes.some((wanted) => wanted.name === name),
	);
	const gone = [
		...strays.map(({ name }) => ({ name, graceSeconds: defaultGraceSeconds, reason: notInSite })),
		...[...containers]
			.reverse()
			.filter(({ change }) => change === "replace")
			.map(({ container, reason }) => ({ name: container.name, graceSeconds: graceOf(container), reason })),
	];
	return {
		changes: [
			...networks.map(({ network, change, reason }) => ({
				kind: "network" as const,
				name: network.name,
				change,
				reason,
			})),
			...strayNetworks.map(({ name }) => ({
				kind: "network" as const,
				name,
				change: "remove" as const,
				reason: notInSite,
			})),
			...volumes.map(({ volume, change, reason }) => ({
				kind: "volume" as const,
				name: volume.name,
				change,
				reason,
			})),
			...strayVolumes.map(({ name }) => ({
				kind: "volume" as const,
				name,
				change: "keep" as const,
				reason: "no longer used; its data is kept",
			})),
			...containers.map(({ container, change, reason }) => ({
				kind: container.oneShot ? ("one-shot" as const) : ("container" as const),
				name: container.name,
				change,
				reason,
			})),
			...strays.map(({ name }) => ({
				kind: "container" as const,
				name,
				change: "remove" as const,
				reason: notInSite,
			})),
		],
		actions: [
			...gone.map((each): Action => ({ type: "remove-container", ...each })),
			...networks
				.filter(({ change }) => change === "replace")
				.map(({ network, reason }): Action => ({ type: "remove-network", name: network.name, reason })),
			...strayNetworks.map(({ name }): Action => ({ type: "remove-network", name, reason: notInSite })),
			...networks
				.filter(({ change }) => change !== "keep")
				.map(({ network, reason }): Action => ({ type: "create-network", network, reason })),
			...volumes
				.filter(({ change }) => change === "create")
				.map(({ volume, reason }): Action => ({ type: "create-volume", volume, reason })),
			...containers.flatMap(({ container, change, reason }): Action[] => {
				if (change === "create" || change === "replace")
					return [{ type: "create-container", container, reason }];
				return change === "start" ? [{ type: "start-container", container, reason }] : [];
			}),
		],
	};
}

const notInSite = "the site no longer asks for it";
