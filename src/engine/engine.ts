import type { Readable, Writable } from "node:stream";
import type { DesiredContainer, DesiredNetwork, DesiredVolume } from "../converge/desired.ts";
import type { ObservedProject } from "../converge/observed.ts";

/**
 * Podman or Docker, as far as a stack needs it. Every call takes a signal, can be repeated after a kill at any point,
 * and throws `IronstrapError`. Names are exact: engines also take prefixes and ids, and would then delete another one's.
 */
export interface Engine {
	readonly socket: string;
	/** As it described itself when it was found: it is not asked again, because Podman takes its time. */
	info(signal: AbortSignal): Promise<EngineInfo>;
	/** All networks, volumes and containers that carry the project's Compose label. */
	observe(project: string, signal: AbortSignal): Promise<ObservedProject>;

	/** Names of all running containers, whoever's they are. */
	runningContainers(signal: AbortSignal): Promise<readonly string[]>;

	createNetwork(network: DesiredNetwork, signal: AbortSignal): Promise<void>;
	removeNetwork(name: string, signal: AbortSignal): Promise<void>;
	/** The bridge's name on this machine; `undefined` when there is no such network. */
	networkInterface(name: string, signal: AbortSignal): Promise<string | undefined>;

	createVolume(volume: DesiredVolume, signal: AbortSignal): Promise<void>;
	removeVolume(name: string, signal: AbortSignal): Promise<void>;
	/** Where its files are on this machine; `undefined` when there is no such volume. */
	volumeDirectory(name: string, signal: AbortSignal): Promise<string | undefined>;

	/** Creates without starting. Sources of its binds must exist: Podman would make directories of them. */
	createContainer(container: DesiredContainer, signal: AbortSignal): Promise<void>;
	startContainer(name: string, signal: AbortSignal): Promise<void>;
	/** Ends by itself within the grace time, or is killed; then it is removed. */
	removeContainer(name: string, graceSeconds: number, signal: AbortSignal): Promise<void>;
	stopContainer(name: string, graceSeconds: number, signal: AbortSignal): Promise<void>;
	/** E.g. `SIGHUP` for dnsmasq after a file of its hosts directory went away. */
	signalContainer(name: string, unixSignal: string, signal: AbortSignal): Promise<void>;
	containerState(name: string, signal: AbortSignal): Promise<ContainerState | undefined>;
	/** Waits for the container to end; its exit code. */
	waitForExit(name: string, signal: AbortSignal): Promise<number>;

	/** Runs the health check `command` of a running container once, now; leaves no process behind. */
	runHealthCheck(name: string, command: readonly string[], signal: AbortSignal): Promise<ExecResult>;
	exec(name: string, command: readonly string[], options: ExecOptions): Promise<ExecResult>;
	/** Standard output and error together, oldest first; ends with the container, or with the signal. */
	logs(name: string, options: LogOptions): Promise<Readable>;
	/** The last lines of a container's log, for an error message. */
	logTail(name: string, lines: number, signal: AbortSignal): Promise<string>;

	/** `undefined` when the engine has no such image. */
	inspectImage(reference: string, signal: AbortSignal): Promise<EngineImage | undefined>;
	/** Pulls an image; progress is told in a few words. Code: `image-pull-failed`. */
	pullImage(reference: string, options: PullOptions): Promise<void>;
	listImages(signal: AbortSignal): Promise<readonly EngineImage[]>;
	/** Ids of the images that containers of anybody were made from, whether they run or not. */
	imagesInUse(signal: AbortSignal): Promise<ReadonlySet<string>>;
	/** Takes away a name, and with the last one the image; an image that a container uses is refused. */
	removeImage(reference: string, signal: AbortSignal): Promise<void>;
	/** Loads a docker-archive or oci-archive (`podman save`, `docker save`). */
	loadImages(archive: Readable, signal: AbortSignal): Promise<void>;
}

export interface EngineInfo {
	readonly kind: "podman" | "docker";
	/** The engine's own version, e.g. `4.3.1`. */
	readonly version: string;
	readonly rootless: boolean;
	/** Whether it gives containers other users than the machine's (Docker's `userns-remap`). */
	readonly remapped?: boolean | undefined;
	readonly selinux: boolean;
	/** Release of the kernel that its containers run on, e.g. `6.1.0-25-amd64`. */
	readonly kernel?: string | undefined;
	/** The system that it says it runs on, e.g. `Docker Desktop`. */
	readonly system?: string | undefined;
	/** Where it keeps images, containers and volumes on this machine. */
	readonly storage?: string | undefined;
	/** What the kernel's cgroups let the engine limit; asking for more fails the container's start. */
	readonly limits: { readonly memory: boolean; readonly pids: boolean };
}

export interface EngineImage {
	/** `sha256:…` */
	readonly id: string;
	readonly tags: readonly string[];
	/** `NAME@sha256:…`, of what came from a registry. */
	readonly digests: readonly string[];
	readonly labels: Readonly<Record<string, string>>;
	readonly sizeBytes: number;
}

export interface PullOptions {
	readonly signal: AbortSignal;
	readonly login?:
		| { readonly serveraddress: string; readonly username: string; readonly password: string }
		| undefined;
	readonly onProgress?: ((text: string) => void) | undefined;
}

export interface ContainerState {
	readonly status: "created" | "running" | "restarting" | "paused" | "exited" | "dead";
	readonly exitCode: number;
	/** Process id of the first process on this machine; 0 when it does not run. */
	readonly pid: number;
}

export interface ExecOptions {
	readonly signal: AbortSignal;
	/** `uid:gid`; default the container's own. */
	readonly user?: string | undefined;
	readonly input?: Readable | undefined;
	/** Where standard output goes instead of the result, e.g. a file for a database dump. */
	readonly output?: Writable | undefined;
}

export interface ExecResult {
	readonly exitCode: number;
	/** Empty when `output` was given. */
	readonly stdout: string;
	readonly stderr: string;
}

export interface LogOptions {
	readonly signal: AbortSignal;
	readonly follow: boolean;
	readonly tail?: number | undefined;
	/** ISO 8601. */
	readonly since?: string | undefined;
	readonly timestamps?: boolean | undefined;
}
