import type { ServerConfig } from "./bmc/config.ts";
import { type BmcOptions, type LabBmc, startBmc } from "./bmc/start.ts";
import { createHome, HOME } from "./home.ts";
import { BMC_NETWORK, createNetwork, type LabNetwork } from "./network.ts";
import { type Podman, startPodman } from "./podman.ts";
import { type Sandbox, startSandbox } from "./sandbox.ts";
import {
	consoleFiles,
	createServerFiles,
	readConsole,
	type ServerOptions,
	serverConfig,
} from "./server/server-files.ts";
import { openWorkDirectory } from "./work-directory.ts";

export interface LabOptions
	extends Pick<BmcOptions, "tls" | "faults" | "sessionTimeoutSeconds" | "maxSessions"> {
	/** One entry a server. Default: one server with every default. */
	readonly servers?: readonly ServerOptions[] | undefined;
	/** Read-only image stores that Podman starts with (podman.ts, loadIntoStore). */
	readonly imageStores?: readonly string[] | undefined;
	/** false: no Podman service. Default true. */
	readonly podman?: boolean | undefined;
	/** A second machine on the provisioning network (network.ts). Default false. */
	readonly neighbour?: boolean | undefined;
	/**
	 * The bootstrap machine is a laptop on Wi-Fi (home.ts), the BMCs are behind its router. No cable leads to the servers:
	 * they can be looked at, not switched on. Default false.
	 */
	readonly laptop?: boolean | undefined;
	/** Disks, consoles and logs; kept afterwards. Default: a directory in /var/tmp that stop() removes. */
	readonly workDir?: string | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** A server of the lab, powered off at first. */
export interface LabServer {
	readonly name: string;
	readonly uuid: string;
	readonly mac: string;
	/** `spec.bmc.address` of its BareMetalHost for a boot over the network. */
	readonly bmcAddress: string;
	/** The same for a boot from virtual media. */
	readonly virtualMediaAddress: string;
	/** Its disk, qcow2. */
	readonly disk: string;
	/** What it wrote on its serial port since power-on `number`; default: the latest. */
	console(number?: number): Promise<string>;
	/** The console logs, oldest first; one a power-on. */
	consoles(): Promise<readonly string[]>;
}

/** A bootstrap machine with servers to boot, complete and apart from the machine that it runs on. */
export interface Lab {
	readonly sandbox: Sandbox;
	readonly network: LabNetwork;
	/** Outside path of Podman's API socket (inside: PODMAN_SOCKET); undefined without Podman. */
	readonly podmanSocket: string | undefined;
	/** Podman's API service, for tests that end it (servePodman starts it again); undefined without Podman. */
	readonly podman: Podman | undefined;
	readonly bmc: LabBmc;
	readonly servers: readonly LabServer[];
	readonly workDir: string;
	/** Cuts the servers' power and ends everything. Can be called twice. */
	stop(): Promise<void>;
}

/** How long the emulator may take to switch its servers off. */
const POWER_OFF_MS = 5_000;

export async function startLab(options: LabOptions = {}): Promise<Lab> {
	const { servers = [{}], imageStores, podman = true, neighbour, laptop = false, workDir, signal } = options;
	const work = openWorkDirectory(workDir);
	const sandbox = await startSandbox({ signal }).catch((error: unknown) => {
		work.remove();
		throw error;
	});
	try {
		const configs = servers.map((server, index) => serverConfig(server, index, work.path));
		for (const [index, config] of configs.entries())
			await createServerFiles(config, servers[index]?.baseImage);
		const taps = configs.map(({ tap }) => tap);
		const network = await (laptop ? createHome(sandbox) : createNetwork(sandbox, { taps, neighbour }));
		const service = podman ? await startPodman(sandbox, { imageStores }) : undefined;
		const { tls, faults, sessionTimeoutSeconds, maxSessions } = options;
		const bmc = await startBmc(sandbox, {
			servers: configs,
			workDirectory: work.path,
			...(laptop ? { listen: HOME.bmc, namespace: HOME.namespace } : { listen: BMC_NETWORK }),
			...{ tls, faults, sessionTimeoutSeconds, maxSessions },
		});
		let stopping: Promise<void> | undefined;
		return {
			sandbox,
			network,
			podmanSocket: service?.socket,
			podman: service,
			bmc,
			servers: configs.map((config) => labServer(config, bmc)),
			workDir: work.path,
			stop() {
				stopping ??= stopLab(sandbox, bmc).finally(() => work.remove());
				return stopping;
			},
		};
	} catch (error) {
		await sandbox.stop();
		work.remove();
		throw error;
	}
}

async function stopLab(sandbox: Sandbox, bmc: LabBmc): Promise<void> {
	// First the servers, in order: a disk that is to be looked at afterwards must be complete.
	if (bmc.process.kill("SIGTERM")) {
		const overdue = setTimeout(() => bmc.process.kill("SIGKILL"), POWER_OFF_MS);
		await bmc.process.result;
		clearTimeout(overdue);
	}
	await sandbox.stop();
}

function labServer(config: ServerConfig, bmc: LabBmc): LabServer {
	const address = (driver: string) => `${driver}+${bmc.address}/redfish/v1/Systems/${config.uuid}`;
	return {
		name: config.name,
		uuid: config.uuid,
		mac: config.mac,
		disk: config.disk,
		bmcAddress: address("redfish"),
		virtualMediaAddress: address("redfish-virtualmedia"),
		console: (number) => readConsole(config, number),
		consoles: () => consoleFiles(config),
	};
}
