import { access } from "node:fs/promises";
import type Docker from "dockerode";
import type { DesiredContainer } from "../converge/desired.ts";
import { label } from "../converge/labels.ts";
import { IronstrapError } from "../lib/errors.ts";
import { containerBody } from "./container-body.ts";
import type { ContainerState, EngineInfo } from "./engine.ts";
import { asking, engineMessage, isConflict, isMissing, statusOf } from "./failures.ts";

export async function createContainer(
	docker: Docker,
	info: EngineInfo,
	container: DesiredContainer,
	signal: AbortSignal,
): Promise<void> {
	await requireSources(container);
	await asking(`create the container ${container.name}`, signal, async () => {
		try {
			await docker.createContainer({ ...containerBody(container, info), abortSignal: signal });
		} catch (error) {
			if (isMissing(error)) throw imageMissing(container, error);
			// Made by a run that was killed before it could say so.
			if (!isConflict(error) || (await hashOf(docker, container.name, signal)) !== container.hash)
				throw error;
		}
	});
}

/** Podman makes a directory of a source that does not exist; the container then fails in some far place. */
async function requireSources({ service, spec }: DesiredContainer): Promise<void> {
	for (const { type, source, target } of spec.volumes ?? []) {
		if (type !== "bind") continue;
		await access(source).catch((cause: unknown) => {
			throw new IronstrapError({
				code: "mount-source-missing",
				message: `${service} needs ${source} (mounted as ${target}), which does not exist`,
				fix: "run `ironstrap up` again; if it is a file of yours, put it back",
				cause,
			});
		});
	}
}

function imageMissing({ spec, service }: DesiredContainer, cause: unknown): IronstrapError {
	return new IronstrapError({
		code: "image-missing",
		message: `the container engine has no image ${spec.image} for ${service}`,
		seen: engineMessage(cause),
		fix: "build it (`ironstrap images build`) or load an archive of it into the engine, then run this again",
		cause,
	});
}

async function hashOf(docker: Docker, name: string, signal: AbortSignal): Promise<string | undefined> {
	return (await inspectExact(docker, name, signal))?.Config.Labels[label.ironstrapHash];
}

export async function startContainer(docker: Docker, name: string, signal: AbortSignal): Promise<void> {
	await asking(`start the container ${name}`, signal, async () => {
		await docker
			.getContainer(name)
			.start({ abortSignal: signal })
			.catch((error: unknown) => {
				if (statusOf(error) !== 304) throw error; // it runs already
			});
	});
}

export async function stopContainer(
	docker: Docker,
	name: string,
	graceSeconds: number,
	signal: AbortSignal,
): Promise<void> {
	await asking(`stop the container ${name}`, signal, async () => {
		const found = await inspectExact(docker, name, signal);
		if (found === undefined || found.State.Running !== true) return;
		await docker
			.getContainer(found.Id)
			.stop({ t: graceSeconds, abortSignal: signal })
			.catch((error: unknown) => {
				if (statusOf(error) !== 304 && !isMissing(error)) throw error;
			});
	});
}

export async function removeContainer(
	docker: Docker,
	name: string,
	graceSeconds: number,
	signal: AbortSignal,
): Promise<void> {
	await stopContainer(docker, name, graceSeconds, signal);
	await asking(`remove the container ${name}`, signal, async () => {
		const found = await inspectExact(docker, name, signal);
		if (found === undefined) return;
		// By force: a container that a killed engine left in an odd state is refused otherwise.
		await docker
			.getContainer(found.Id)
			.remove({ force: true, v: true, abortSignal: signal })
			.catch((error: unknown) => {
				if (!isMissing(error)) throw error;
			});
	});
}

export async function signalContainer(
	docker: Docker,
	name: string,
	unixSignal: string,
	signal: AbortSignal,
): Promise<void> {
	await asking(`send ${unixSignal} to the container ${name}`, signal, async () => {
		const found = await inspectExact(docker, name, signal);
		if (found === undefined || found.State.Running !== true) return;
		await docker.getContainer(found.Id).kill({ signal: unixSignal, abortSignal: signal });
	});
}

export async function containerState(
	docker: Docker,
	name: string,
	signal: AbortSignal,
): Promise<ContainerState | undefined> {
	return asking(`look at the container ${name}`, signal, async () => {
		const found = await inspectExact(docker, name, signal);
		if (found === undefined) return undefined;
		const { Status, ExitCode, Pid } = found.State;
		return { status: statusName(Status), exitCode: ExitCode, pid: Pid };
	});
}

/** Long poll; Podman answers some waits early when a container restarts, so the state is looked at again. */
export async function waitForExit(docker: Docker, name: string, signal: AbortSignal): Promise<number> {
	return asking(`wait for the container ${name}`, signal, async () => {
		for (;;) {
			await docker.getContainer(name).wait({ condition: "not-running", abortSignal: signal });
			const found = await inspectExact(docker, name, signal);
			if (found === undefined) throw new Error(`the container ${name} was removed while it was waited for`);
			if (statusName(found.State.Status) === "exited") return found.State.ExitCode;
		}
	});
}

/** Podman has more states: `initialized` and `configured` before the start, `stopped` and `stopping` after it. */
export function statusName(status: string): ContainerState["status"] {
	switch (status) {
		case "running":
		case "stopping":
			return "running";
		case "restarting":
		case "paused":
		case "dead":
			return status;
		case "exited":
		case "stopped":
			return "exited";
		default:
			return "created";
	}
}

/** By the exact name: an inspection also takes the start of an id. */
async function inspectExact(
	docker: Docker,
	name: string,
	signal: AbortSignal,
): Promise<Docker.ContainerInspectInfo | undefined> {
	try {
		const found = await docker.getContainer(name).inspect({ abortSignal: signal } as object);
		return found.Name.replace(/^\//, "") === name ? found : undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
