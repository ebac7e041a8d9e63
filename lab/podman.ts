import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { IronstrapError } from "../src/lib/errors.ts";
import type { SandboxProcess } from "./sandbox/command.ts";
import type { Sandbox } from "./sandbox.ts";
import { until } from "./until.ts";

/*
 * What this kind of machine (no systemd, a container host's limits, an old Podman) asks of Podman is written down
 * here and nowhere else; the product never sees it.
 */

/** Podman's API socket, a path inside the sandbox. */
export const PODMAN_SOCKET = "/run/podman/podman.sock";

export interface Podman {
	/** Outside path of the API socket, for processes that are not in the sandbox. */
	readonly socket: string;
	readonly process: SandboxProcess;
}

export interface PodmanOptions {
	/** Directories made by {@link loadIntoStore}: their images are there at once, read-only. */
	readonly imageStores?: readonly string[] | undefined;
}

/** Configures Podman in the sandbox, starts its API service and waits until it answers. */
export async function startPodman(
	sandbox: Sandbox,
	{ imageStores = [] }: PodmanOptions = {},
): Promise<Podman> {
	await configure(sandbox, imageStores);
	return servePodman(sandbox);
}

/** Starts the API service of a sandbox whose Podman is configured: again, after a test has killed it. */
export async function servePodman(sandbox: Sandbox): Promise<Podman> {
	await sandbox.run("mkdir", ["-p", "-m", "0700", "/run/podman"]);
	await sandbox.run("rm", ["-f", PODMAN_SOCKET]);
	const log = sandbox.path("/run/ironstrap-lab/podman.log");
	const service = sandbox.spawn("podman", ["system", "service", "-t", "0", `unix://${PODMAN_SOCKET}`], {
		log,
	});
	const socket = sandbox.path(PODMAN_SOCKET);
	let ended = false;
	void service.result.then(() => {
		ended = true;
	});
	await until(
		async () => {
			if (ended) {
				throw new IronstrapError({
					code: "lab-podman-failed",
					message: "Podman's API service ended at once",
					seen: await readFile(log, "utf8").catch(() => ""),
					fix: "Check that podman, conmon, runc, netavark and iptables are installed",
				});
			}
			return answers(socket);
		},
		{ what: "Podman's API service", deadlineMs: 20_000 },
	);
	return { socket, process: service };
}

/**
 * Loads an image archive (docker-archive or oci-archive) into a store that sandboxes then share read-only.
 * Nothing of it touches the machine's own Podman: run state, lock table and containers are covered by tmpfs.
 */
export async function loadIntoStore(archive: string, storeDir: string, signal?: AbortSignal): Promise<void> {
	const scratch = await mkdtemp(join(tmpdir(), "ironstrap-store-"));
	const script = `
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm
exec podman --root "$1" --runroot /run/load --storage-driver overlay --events-backend none load --quiet --input "$2"`;
	try {
		await mkdir(storeDir, { recursive: true });
		const conf = join(scratch, "containers.conf");
		await writeFile(conf, containersConf(await readFile("/proc/self/limits", "utf8")));
		const isolated = ["--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private"];
		await execa("setpriv", [...isolated, "sh", "-ec", script, "sh", storeDir, archive], {
			env: { CONTAINERS_CONF: conf },
			stdin: "ignore",
			...(signal === undefined ? {} : { cancelSignal: signal }),
		});
		// Podman refuses an additional store that it cannot walk into.
		await chmod(storeDir, 0o755);
	} catch (error) {
		signal?.throwIfAborted();
		throw new IronstrapError({
			code: "lab-image-store-failed",
			message: `The image archive ${archive} could not be loaded into ${storeDir}`,
			seen: error instanceof Error ? error.message : String(error),
			fix: "Check the archive with: podman load --input ARCHIVE",
			cause: error,
		});
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
}

/**
 * containers.conf. `limits` is the text of /proc/self/limits: without CAP_SYS_RESOURCE a limit above the hard one
 * cannot be set, and Podman's default of 1048576 open files fails every container. netavark is named because
 * Podman 4.3 otherwise probes CNI first and reports missing plug-ins.
 */
export function containersConf(limits: string): string {
	const nofile = Math.min(hardLimit(limits, "Max open files"), 1_048_576);
	const nproc = Math.min(hardLimit(limits, "Max processes"), 32_768);
	return `[containers]
default_ulimits = ["nofile=${nofile}:${nofile}", "nproc=${nproc}:${nproc}"]
log_driver = "k8s-file"

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"

[network]
network_backend = "netavark"
`;
}

/** storage.conf: a store of the sandbox's own above the read-only shared ones. */
export function storageConf(imageStores: readonly string[]): string {
	return `[storage]
driver = "overlay"
graphroot = "/var/lib/containers/storage"
runroot = "/run/containers/storage"

[storage.options]
additionalimagestores = [${imageStores.map((store) => JSON.stringify(store)).join(", ")}]
`;
}

function hardLimit(limits: string, name: string): number {
	const line = limits.split("\n").find((candidate) => candidate.startsWith(name)) ?? "";
	const hard = line.slice(name.length).trim().split(/\s+/)[1];
	return hard === undefined || hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
}

async function configure(sandbox: Sandbox, imageStores: readonly string[]): Promise<void> {
	const limits = await readFile("/proc/self/limits", "utf8");
	await writeFile(sandbox.path("/etc/containers/containers.conf"), containersConf(limits));
	await writeFile(sandbox.path("/etc/containers/storage.conf"), storageConf(imageStores));
	for (const store of imageStores) {
		await sandbox.run("sh", ["-ec", 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"', "sh", store]);
	}
}

/** Whether an engine answers on its API socket. */
export function answers(socketPath: string): Promise<boolean> {
	return new Promise((resolve) => {
		const ping = request({ socketPath, path: "/_ping", timeout: 2000 }, (response) => {
			response.resume();
			resolve(response.statusCode === 200);
		});
		ping.on("timeout", () => ping.destroy());
		ping.on("error", () => resolve(false));
		ping.end();
	});
}
