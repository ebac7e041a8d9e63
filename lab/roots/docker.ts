import { mkdir, readFile } from "node:fs/promises";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { CacheOptions } from "../cache.ts";
import { imageArchive } from "../images.ts";
import { answers } from "../podman.ts";
import type { SandboxProcess } from "../sandbox/command.ts";
import { LAB_RUN_DIRECTORY } from "../sandbox/mounts.ts";
import type { Sandbox } from "../sandbox.ts";
import { cachedTree } from "../tree-cache.ts";
import { until } from "../until.ts";
import { rootTree } from "./build.ts";
import type { RootName } from "./definition.ts";
import { startInRoot } from "./enter.ts";

/** Docker's API socket, a path inside the sandbox. */
export const DOCKER_SOCKET = "/run/docker.sock";

export interface DockerDaemon {
	/** Outside path of the API socket. */
	readonly socket: string;
	readonly process: SandboxProcess;
}

/** Starts Docker in a sandbox that is a root (startInRoot), with the stack's images, and waits until it answers. */
export async function startDocker(sandbox: Sandbox, store: string): Promise<DockerDaemon> {
	await sandbox.run("sh", ["-e", "-s", "--", store], { input: furnishScript });
	return serveDocker(sandbox);
}

/** Starts the daemon (and with it containerd): again, after a test has killed it. */
export async function serveDocker(sandbox: Sandbox): Promise<DockerDaemon> {
	const log = sandbox.path(`${LAB_RUN_DIRECTORY}/docker.log`);
	await sandbox.run("rm", ["-f", DOCKER_SOCKET, "/run/docker.pid"]);
	const daemon = sandbox.spawn("dockerd", ["--host", `unix://${DOCKER_SOCKET}`], { log });
	let ended = false;
	void daemon.result.then(() => {
		ended = true;
	});
	const socket = sandbox.path(DOCKER_SOCKET);
	await until(
		async () => {
			if (ended)
				throw new IronstrapError({
					code: "lab-docker-failed",
					message: "Docker's daemon ended at once",
					seen: (await readFile(log, "utf8").catch(() => "")).slice(-2000),
					fix: "The kernel needs overlayfs, bridges and the iptables modules of nftables",
				});
			return answers(socket);
		},
		{ what: "Docker's daemon", deadlineMs: 60_000 },
	);
	return { socket, process: daemon };
}

/**
 * The stack's images as the release's Docker has unpacked them, so that a test need not load a gigabyte. Argument of
 * {@link startDocker}.
 */
export async function dockerStore(name: RootName, options: CacheOptions = {}): Promise<string> {
	const tree = await rootTree(name, options);
	const archives = [
		(await imageArchive("ironic", options)).archive,
		(await imageArchive("mariadb", options)).archive,
	];
	const { folder } = await cachedTree(
		{
			name: `docker-store-${name}`,
			inputs: [tree, ...archives],
			build: (empty) => fillStore(name, archives, empty),
		},
		options,
	);
	return folder;
}

async function fillStore(name: RootName, archives: readonly string[], folder: string): Promise<void> {
	const sandbox = await startInRoot(name);
	try {
		await mkdir(folder, { recursive: true });
		await sandbox.run("mount", ["--bind", folder, "/var/lib/docker"]);
		const daemon = await serveDocker(sandbox);
		for (const archive of archives)
			await sandbox.run("docker", ["load", "--quiet", "--input", archive], { timeoutMs: 600_000 });
		daemon.process.kill("SIGTERM");
		await daemon.process.result;
	} finally {
		await sandbox.stop();
	}
}

/**
 * Docker writes into its directory, but never into an image's layer: those are bound, everything else is copied.
 * The layers' directory is a mount of its own, else the daemon makes it one and covers them.
 */
const furnishScript = `
store=$1
cd "$store"
tar --exclude='./overlay2/*/diff' --create --file=- . | tar --extract --file=- --directory=/var/lib/docker
mount --bind /var/lib/docker/overlay2 /var/lib/docker/overlay2
for layer in overlay2/*/diff; do
	mkdir "/var/lib/docker/$layer"
	mount --bind -o ro "$layer" "/var/lib/docker/$layer"
done
`;
