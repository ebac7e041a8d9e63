import type { DesiredContainer, DesiredNetwork, DesiredProject, DesiredVolume } from "./desired.ts";
import { label } from "./labels.ts";
import type { ObservedContainer, ObservedObject } from "./observed.ts";

export type Change = "create" | "replace" | "start" | "keep" | "remove";

export interface Verdict {
	readonly change: Change;
	readonly reason: string;
}

/** What else the same plan puts in place: keys of networks and volumes that are made (anew), paths of edited files. */
export interface Disturbances {
	readonly newNetworks: ReadonlySet<string>;
	readonly newVolumes: ReadonlySet<string>;
	readonly editedFiles: ReadonlySet<string>;
}

export function networkChange(network: DesiredNetwork, observed: readonly ObservedObject[]): Verdict {
	const found = observed.find(({ name }) => name === network.name);
	if (found === undefined) return { change: "create", reason: "it does not exist" };
	if (found.labels[label.ironstrapHash] !== network.hash)
		return { change: "replace", reason: "its definition changed" };
	return { change: "keep", reason: "as desired" };
}

/** A volume is never replaced: it is data. */
export function volumeChange(volume: DesiredVolume, observed: readonly ObservedObject[]): Verdict {
	if (observed.some(({ name }) => name === volume.name)) return { change: "keep", reason: "it exists" };
	return { change: "create", reason: "it does not exist" };
}

export function containerChange(
	container: DesiredContainer,
	desired: DesiredProject,
	observed: readonly ObservedContainer[],
	{ editedFiles, newNetworks, newVolumes }: Disturbances,
): Verdict {
	const found = observed.find(({ name }) => name === container.name);
	if (found === undefined) return { change: "create", reason: "it does not exist" };
	if (found.labels[label.ironstrapHash] !== container.hash)
		return { change: "replace", reason: "its definition, image or configuration changed" };
	const network = Object.keys(container.spec.networks ?? {}).find((key) => newNetworks.has(key));
	if (network !== undefined) return { change: "replace", reason: `its network ${network} is made anew` };
	const volume = volumesBehind(container, desired).find((key) => newVolumes.has(key));
	if (volume !== undefined && (container.oneShot || usesVolume(container, volume)))
		return { change: "replace", reason: `its volume ${volume} is made anew` };
	if (container.oneShot) return oneShotState(found);
	const edited = container.files.find((path) => editedFiles.has(path));
	if (edited !== undefined && runs(found))
		return { change: "replace", reason: `it may have read ${edited} as somebody changed it` };
	return serviceState(found);
}

function runs({ state }: ObservedContainer): boolean {
	return state === "running" || state === "restarting";
}

function oneShotState(found: ObservedContainer): Verdict {
	switch (found.state) {
		case "exited":
			return found.exitCode === 0
				? { change: "keep", reason: "it succeeded" }
				: { change: "replace", reason: `it failed with exit code ${found.exitCode}` };
		case "running":
		case "restarting":
			return { change: "keep", reason: "it is running" };
		case "created":
		case "paused":
		case "dead":
			return { change: "replace", reason: `it never ended (${found.state})` };
	}
}

function serviceState(found: ObservedContainer): Verdict {
	switch (found.state) {
		case "running":
		case "restarting":
			return { change: "keep", reason: "as desired" };
		case "created":
		case "exited":
			return {
				change: "start",
				reason:
					found.state === "created" ? "it was never started" : `it ended with exit code ${found.exitCode}`,
			};
		case "paused":
		case "dead":
			return { change: "replace", reason: `it is ${found.state}` };
	}
}

/** A one-shot works on what its predecessors hold, too: tables live in the volume of the database. */
function volumesBehind(container: DesiredContainer, desired: DesiredProject): readonly string[] {
	const own = (container.spec.volumes ?? [])
		.filter(({ type }) => type === "volume")
		.map(({ source }) => source);
	const before = container.awaits.flatMap(({ service }) => {
		const found = desired.containers.find((each) => each.service === service);
		return found === undefined ? [] : volumesBehind(found, desired);
	});
	return [...new Set([...own, ...before])];
}

function usesVolume(container: DesiredContainer, key: string): boolean {
	return (container.spec.volumes ?? []).some(({ type, source }) => type === "volume" && source === key);
}
