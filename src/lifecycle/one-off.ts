import { chown, mkdir, rm } from "node:fs/promises";
import type { DesiredContainer, DesiredProject } from "../converge/desired.ts";
import { label } from "../converge/labels.ts";
import type { Engine } from "../engine/engine.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { ComposeService } from "../stack/project.ts";

const graceSeconds = 10;

/** What a container does beside the database and is removed after. */
export interface OneOff {
	/** Its name in the project, e.g. `dump`. */
	readonly service: string;
	readonly command: readonly string[];
	/** What it mounts besides `/exchange`. */
	readonly volumes: Required<ComposeService>["volumes"];
	/** What to say when it fails. */
	readonly failure: { readonly code: string; readonly message: string };
}

/**
 * Runs a container of the database's image (with SQLite of Ironic's) to its end, with `directory` as its `/exchange`. A
 * container of its own: an `exec` into the server would leave a process of Podman behind for five minutes.
 */
export async function runOneOff(
	engine: Engine,
	desired: DesiredProject,
	job: OneOff,
	directory: string,
	signal: AbortSignal,
): Promise<void> {
	const container = containerOf(desired, job, directory);
	await engine.removeContainer(container.name, graceSeconds, signal);
	try {
		await engine.createContainer(container, signal);
		await engine.startContainer(container.name, signal);
		const exitCode = await engine.waitForExit(container.name, signal);
		if (exitCode === 0) return;
		throw new IronstrapError({
			...job.failure,
			seen: await engine.logTail(container.name, 20, signal),
			fix: "look at the stack's logs: `ironstrap logs`",
		});
	} finally {
		// also after an interruption: the container holds nothing that is needed again
		await engine.removeContainer(container.name, graceSeconds, AbortSignal.timeout(30_000));
	}
}

/** An empty directory that the one-off's user, and nobody else, may write to. */
export async function exchangeDirectory(desired: DesiredProject, directory: string): Promise<Owner> {
	const [uid = 0, gid = 0] = databaseContainer(desired).spec.user?.split(":").map(Number) ?? [];
	await rm(directory, { recursive: true, force: true });
	await mkdir(directory, { recursive: true, mode: 0o700 });
	await chown(directory, uid, gid);
	return { uid, gid };
}

export interface Owner {
	readonly uid: number;
	readonly gid: number;
}

/** The server of the database, or Ironic if it keeps its nodes in a file. */
export function databaseContainer({ containers }: DesiredProject): DesiredContainer {
	const find = (service: string) => containers.find((each) => each.service === service);
	const beside = find("mariadb") ?? find("ironic");
	if (beside === undefined) throw new Error("the stack has no database");
	return beside;
}

function containerOf(desired: DesiredProject, job: OneOff, directory: string): DesiredContainer {
	const beside = databaseContainer(desired);
	const { healthcheck: _healthcheck, networks: _networks, ...spec } = beside.spec;
	return {
		...beside,
		service: job.service,
		name: `${desired.name}-${job.service}-1`,
		oneShot: true,
		awaits: [],
		files: [],
		labels: { ...beside.labels, [label.service]: job.service, [label.oneOff]: "True" },
		spec: {
			...spec,
			network_mode: "none",
			restart: "no",
			command: job.command,
			volumes: [...job.volumes, { type: "bind", source: directory, target: "/exchange" }],
		},
	};
}
