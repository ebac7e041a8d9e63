import type { Action } from "./actions.ts";
import { label } from "./labels.ts";
import type { ObservedContainer, ObservedProject } from "./observed.ts";

export interface RemovalOptions {
	/** Whether the data goes, too. */
	readonly volumes: boolean;
	/** Service → seconds it may take to stop, e.g. from `graceOf`. Default 60. */
	readonly graceSeconds?: ((service: string) => number | undefined) | undefined;
}

/**
 * Everything that the engine has of a project, taken away: dependents first. It needs no site, so that a stack can be
 * removed whose site is lost; the order comes from the labels.
 */
export function planRemoval(
	observed: ObservedProject,
	{ volumes, graceSeconds }: RemovalOptions,
): readonly Action[] {
	const reason = "the stack is taken down";
	return [
		...removalOrder(observed.containers).map(({ name, labels }): Action => {
			const grace = graceSeconds?.(labels[label.service] ?? "") ?? 60;
			return { type: "remove-container", name, graceSeconds: grace, reason };
		}),
		...observed.networks.map(({ name }): Action => ({ type: "remove-network", name, reason })),
		...(volumes ? observed.volumes.map(({ name }): Action => ({ type: "remove-volume", name, reason })) : []),
	];
}

/** Reverse of the start order, as far as `depends_on` labels tell it. */
function removalOrder(containers: readonly ObservedContainer[]): readonly ObservedContainer[] {
	const dependencies = (container: ObservedContainer) =>
		(container.labels[label.dependsOn] ?? "").split(",").map((entry) => entry.split(":")[0] ?? "");
	const depth = (container: ObservedContainer, path: readonly string[]): number => {
		if (path.includes(container.name)) return 0;
		const before = containers.filter((other) =>
			dependencies(container).includes(other.labels[label.service] ?? "-"),
		);
		return Math.max(0, ...before.map((other) => 1 + depth(other, [...path, container.name])));
	};
	return containers
		.map((container) => ({ container, depth: depth(container, []) }))
		.sort((a, b) => b.depth - a.depth)
		.map(({ container }) => container);
}
