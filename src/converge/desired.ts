import { createHash, createHmac } from "node:crypto";
import type { ConfigFile, Stack } from "../stack/inputs.ts";
import type { ComposeNetwork, ComposeProject, ComposeService, ComposeVolume } from "../stack/project.ts";
import { label } from "./labels.ts";

/** A stack as the engine is to have it: engine names, labels, and the hash that tells whether it still is so. */
export interface DesiredProject {
	readonly name: string;
	readonly networks: readonly DesiredNetwork[];
	readonly volumes: readonly DesiredVolume[];
	/** In an order in which they can be started; each waits for its own conditions only. */
	readonly containers: readonly DesiredContainer[];
}

interface Desired {
	/** Name in the engine, e.g. `ironstrap-metal3_private`. */
	readonly name: string;
	readonly hash: string;
	readonly labels: Readonly<Record<string, string>>;
}

export interface DesiredNetwork extends Desired {
	readonly key: string;
	readonly spec: ComposeNetwork;
}

export interface DesiredVolume extends Desired {
	readonly key: string;
	readonly spec: ComposeVolume;
}

export interface DesiredContainer extends Desired {
	readonly service: string;
	readonly spec: ComposeService;
	/** Runs to its end; others wait for its success. */
	readonly oneShot: boolean;
	readonly awaits: readonly Await[];
	/** What it reads at its start only, relative to the run directory: `ironic/ironic.conf`. */
	readonly files: readonly string[];
	/** Project key → engine name, of the networks and volumes it uses. */
	readonly networkNames: Readonly<Record<string, string>>;
	readonly volumeNames: Readonly<Record<string, string>>;
}

/** What has to be true of another service before one is started. */
export interface Await {
	readonly service: string;
	readonly condition: "service_started" | "service_healthy" | "service_completed_successfully";
}

/**
 * `hashKey` (kept with the site's secrets) keys the hashes: they cover passwords, are readable by whoever may list
 * containers, and must not serve for guessing.
 */
export function desiredProject(stack: Stack, hashKey: Uint8Array): DesiredProject {
	const { project } = stack;
	const keyed = (value: unknown) => createHmac("sha256", hashKey).update(canonical(value)).digest("hex");
	const labels = (hash: string, own: Record<string, string>) => ({
		[label.project]: project.name,
		...own,
		[label.ironstrapHash]: hash,
	});
	return {
		name: project.name,
		networks: Object.entries(project.networks).map(([key, spec]) => {
			const hash = keyed(spec);
			return {
				key,
				name: spec.name,
				spec,
				hash,
				labels: { ...spec.labels, ...labels(hash, { [label.network]: key }) },
			};
		}),
		volumes: Object.entries(project.volumes).map(([key, spec]) => {
			const hash = keyed(spec);
			return {
				key,
				name: spec.name,
				spec,
				hash,
				labels: { ...spec.labels, ...labels(hash, { [label.volume]: key }) },
			};
		}),
		containers: startOrder(project).map((service) => desiredContainer(stack, service, keyed, labels)),
	};
}

function desiredContainer(
	stack: Stack,
	service: string,
	keyed: (value: unknown) => string,
	labels: (hash: string, own: Record<string, string>) => Record<string, string>,
): DesiredContainer {
	const { project } = stack;
	const spec = project.services[service] as ComposeService;
	const files = mountedFiles(stack, spec);
	const hash = keyed({ spec, imageId: stack.imageIds[spec.image], files });
	const awaits = awaitsOf(spec);
	return {
		service,
		name: `${project.name}-${service}-1`,
		spec,
		hash,
		oneShot: isOneShot(project, service),
		awaits,
		files: files.map(({ path }) => path),
		networkNames: Object.fromEntries(Object.entries(project.networks).map(([key, { name }]) => [key, name])),
		volumeNames: Object.fromEntries(Object.entries(project.volumes).map(([key, { name }]) => [key, name])),
		labels: {
			...spec.labels,
			...labels(hash, {
				[label.service]: service,
				[label.containerNumber]: "1",
				[label.oneOff]: "False",
				[label.configHash]: createHash("sha256").update(canonical(spec)).digest("hex"),
				[label.dependsOn]: awaits.map((each) => `${each.service}:${each.condition}:false`).join(","),
			}),
		},
	};
}

/** What the container reads at its start only: these files make it drift, live ones do not. */
function mountedFiles(
	stack: Stack,
	spec: ComposeService,
): readonly Pick<ConfigFile, "path" | "content" | "mode" | "uid" | "gid">[] {
	const sources = (spec.volumes ?? []).filter(({ type }) => type === "bind").map(({ source }) => source);
	return stack.files
		.filter(({ live }) => !live)
		.filter(({ path }) => {
			const absolute = `${stack.runDirectory}/${path}`;
			return sources.some((source) => absolute === source || absolute.startsWith(`${source}/`));
		})
		.map(({ path, content, mode, uid, gid }) => ({ path, content, mode, uid, gid }))
		.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function awaitsOf(spec: ComposeService): readonly Await[] {
	return Object.entries(spec.depends_on ?? {}).map(([service, { condition }]) => ({ service, condition }));
}

function isOneShot(project: ComposeProject, service: string): boolean {
	return Object.values(project.services).some(
		({ depends_on }) => depends_on?.[service]?.condition === "service_completed_successfully",
	);
}

/**
 * Services by the length of the chain they wait for, and those that wait for fewer others first: whoever starts
 * them one after another in this order loses next to nothing.
 */
export function startOrder(project: ComposeProject): readonly string[] {
	const depth = (service: string, path: readonly string[]): number => {
		if (path.includes(service))
			throw new Error(`depends_on goes round in a circle: ${[...path, service].join(" → ")}`);
		const spec = project.services[service];
		if (spec === undefined) throw new Error(`depends_on names ${service}, which is no service`);
		return Math.max(0, ...awaitsOf(spec).map((each) => 1 + depth(each.service, [...path, service])));
	};
	return Object.entries(project.services)
		.map(([service, spec]) => ({ service, depth: depth(service, []), waits: awaitsOf(spec).length }))
		.sort((a, b) => a.depth - b.depth || a.waits - b.waits)
		.map(({ service }) => service);
}

/** JSON with sorted keys: the same value gives the same text, however it was built. */
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
	const entries = Object.entries(value)
		.filter(([, item]) => item !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
