import type Docker from "dockerode";
import { label } from "../converge/labels.ts";
import type { ObservedContainer, ObservedProject } from "../converge/observed.ts";
import { statusName } from "./containers.ts";
import { asking } from "./failures.ts";

export async function observeProject(
	docker: Docker,
	project: string,
	signal: AbortSignal,
): Promise<ObservedProject> {
	return asking(`list what belongs to ${project}`, signal, async () => {
		const filters = { label: [`${label.project}=${project}`] };
		const options = { filters, abortSignal: signal };
		const [containers, networks, volumes] = await Promise.all([
			docker.listContainers({ ...options, all: true }),
			docker.listNetworks(options),
			docker.listVolumes(options as object),
		]);
		return {
			containers: await Promise.all(containers.map((each) => observed(docker, each, signal))),
			networks: networks.map(({ Name, Labels }) => ({ name: Name, labels: { ...Labels } })),
			volumes: (volumes.Volumes ?? []).map(({ Name, Labels }) => ({ name: Name, labels: { ...Labels } })),
		};
	});
}

export async function runningContainers(docker: Docker, signal: AbortSignal): Promise<readonly string[]> {
	return asking("list the running containers", signal, async () =>
		(await docker.listContainers({ abortSignal: signal } as object)).map(nameOf),
	);
}

/** The list has no exit code. */
async function observed(
	docker: Docker,
	listed: Docker.ContainerInfo,
	signal: AbortSignal,
): Promise<ObservedContainer> {
	const { State } = await docker.getContainer(listed.Id).inspect({ abortSignal: signal } as object);
	return {
		id: listed.Id,
		name: nameOf(listed),
		labels: { ...listed.Labels },
		state: statusName(State.Status),
		exitCode: State.ExitCode,
		ports: (listed.Ports ?? []).flatMap(({ IP, PublicPort, Type }) =>
			Type === "tcp" && PublicPort ? [{ address: IP, port: PublicPort }] : [],
		),
	};
}

function nameOf({ Id, Names }: Docker.ContainerInfo): string {
	return (Names[0] ?? Id).replace(/^\//, "");
}
