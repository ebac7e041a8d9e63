import type { EngineWish } from "./candidates.ts";
import {
	containerState,
	createContainer,
	removeContainer,
	signalContainer,
	startContainer,
	stopContainer,
	waitForExit,
} from "./containers.ts";
import { discoverEngine } from "./discover.ts";
import type { Engine } from "./engine.ts";
import { execIn } from "./exec.ts";
import { runHealthCheck } from "./health-check.ts";
import { imagesInUse, inspectImage, listImages, loadImages, pullImage, removeImage } from "./images.ts";
import { containerLogs, logTail } from "./logs.ts";
import { createNetwork, networkInterface, removeNetwork } from "./networks.ts";
import { observeProject, runningContainers } from "./observe.ts";
import { createVolume, removeVolume, volumeDirectory } from "./volumes.ts";

/** Finds the engine, or starts Podman's API, and returns it ready for use. Errors: `engine-not-found`, with all places that were tried. */
export async function connectEngine(wish: EngineWish, signal: AbortSignal): Promise<Engine> {
	const { docker, socket, info } = await discoverEngine({ startService: true, ...wish }, signal);
	return {
		socket,
		info: async () => info,
		observe: (project, stop) => observeProject(docker, project, stop),
		runningContainers: (stop) => runningContainers(docker, stop),
		createNetwork: (network, stop) => createNetwork(docker, info, network, stop),
		removeNetwork: (name, stop) => removeNetwork(docker, name, stop),
		networkInterface: (name, stop) => networkInterface(docker, info, name, stop),
		createVolume: (volume, stop) => createVolume(docker, volume, stop),
		removeVolume: (name, stop) => removeVolume(docker, name, stop),
		volumeDirectory: (name, stop) => volumeDirectory(docker, name, stop),
		createContainer: (container, stop) => createContainer(docker, info, container, stop),
		startContainer: (name, stop) => startContainer(docker, name, stop),
		stopContainer: (name, grace, stop) => stopContainer(docker, name, grace, stop),
		removeContainer: (name, grace, stop) => removeContainer(docker, name, grace, stop),
		signalContainer: (name, unixSignal, stop) => signalContainer(docker, name, unixSignal, stop),
		containerState: (name, stop) => containerState(docker, name, stop),
		waitForExit: (name, stop) => waitForExit(docker, name, stop),
		runHealthCheck: (name, command, stop) => runHealthCheck(docker, info, name, command, stop),
		exec: (name, command, options) => execIn(docker, name, command, options),
		logs: (name, options) => containerLogs(docker, name, options),
		logTail: (name, lines, stop) => logTail(docker, name, lines, stop),
		inspectImage: (reference, stop) => inspectImage(docker, reference, stop),
		imagesInUse: (stop) => imagesInUse(docker, stop),
		removeImage: (reference, stop) => removeImage(docker, reference, stop),
		pullImage: (reference, options) => pullImage(docker, reference, options),
		listImages: (stop) => listImages(docker, stop),
		loadImages: (archive, stop) => loadImages(docker, archive, stop),
	};
}
