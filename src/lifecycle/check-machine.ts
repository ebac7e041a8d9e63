import { stat } from "node:fs/promises";
import { type Check, runChecks } from "../checks/check.ts";
import { diskSpace, type WantedSpace } from "../checks/disk-space.ts";
import { networkClash } from "../checks/network-clash.ts";
import { ownAddresses } from "../checks/own-addresses.ts";
import { portsFree, type WantedPort } from "../checks/ports-free.ts";
import type { ObservedProject } from "../converge/observed.ts";
import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import type { Site } from "../resources/site.ts";
import { containerPorts, endpointsOf } from "../stack/endpoints.ts";
import { projectName } from "../stack/names.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { persistWaits } from "../state/waits.ts";
import { waitFor } from "../steps/wait.ts";
import type { Machine } from "./machine.ts";
import { networkChecks, runs } from "./network-look.ts";
import type { LifecycleOptions } from "./session.ts";

const MiB = 1024 ** 2;

/** What the state and the configuration of a site take, with a journal that has reached its full size. */
const STATE_BYTES = 32 * MiB;
const RUN_BYTES = 8 * MiB;
/** A new database, Ironic's boot files and logs; room for the daily growth of those that are there. */
const NEW_VOLUMES_BYTES = 512 * MiB;
const GROWTH_BYTES = 64 * MiB;

/**
 * Refuses what would fail half-way on this machine: ports that others hold, disks that are full. Changes nothing.
 * A port that the engine itself has not yet let go of is waited for.
 */
export async function checkMachine(
	site: Site,
	machine: Machine,
	{ emit, roots, signal }: LifecycleOptions,
): Promise<void> {
	const project = projectName(site.name);
	const { engine } = machine;
	const paths = sitePaths(site.name, roots);
	const observed = await engine.observe(project, signal);
	const checks = [
		ownAddresses(site, machine.local),
		networkClash(site, machine.local),
		diskSpace(await spaceOf(machine, observed, paths, signal)),
	];
	for (const { fix, message } of await runChecks(checks, signal))
		emit({ type: "note", level: "warning", message: `${message}; ${fix}` });
	const keepWaits = persistWaits(paths.waits);
	let kept = "";
	await waitFor(
		{
			what: "Podman to let go of a port",
			why: () => kept,
			deadlineMs: site.bootstrap.spec.deadlines.engine,
			everyMs: 1000,
			fix: "restart Podman's API service, which frees it, then run `ironstrap up` again",
		},
		async (stop) => {
			// asked anew each time: others run, and an idle Podman never collects its garbage
			const wanted = wantedPorts(site, machine, await engine.observe(project, stop));
			const faults = await portsFree(wanted).look(stop);
			if (faults.length === 0) return true;
			kept = faults.map(({ seen }) => seen ?? "").join("; ");
			if (faults.every(({ code }) => code === "port-kept-by-engine")) return undefined;
			await runChecks([{ ...portsFree(wanted), look: async () => faults }], stop);
			return true;
		},
		(event) => {
			keepWaits(event);
			emit(event);
		},
		signal,
	);
}

/** Free disk space, free ports, and nobody else in the way on the network, as checks for whoever only asks. */
export async function roomAndPorts(
	site: Site,
	machine: Machine,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<readonly Check[]> {
	const observed = await machine.engine.observe(projectName(site.name), signal);
	const space = await spaceOf(machine, observed, sitePaths(site.name, roots), signal);
	return [
		diskSpace(space),
		portsFree(wantedPorts(site, machine, observed)),
		...networkChecks(site, machine, observed, signal),
	];
}

/** Every port of the site that none of its own running containers holds. Exported for its test. */
export function wantedPorts(
	site: Site,
	{ local, provisioning }: Pick<Machine, "local" | "provisioning">,
	observed: ObservedProject,
): readonly WantedPort[] {
	const running = observed.containers.filter(({ state }) => state === "running");
	const published = new Set(
		running.flatMap(({ ports = [] }) => ports.map(({ address, port }) => `${address} ${port}`)),
	);
	const inputs = { provisioning, localAddresses: local.map(({ address }) => address) };
	const tcp = endpointsOf(site, inputs).ports.map(
		({ host_ip, published: port, target }): WantedPort => ({
			protocol: "tcp",
			address: host_ip,
			port: Number(port),
			...PUBLISHED[target],
			use: PUBLISHED[target]?.use ?? "the API",
		}),
	);
	return [
		...tcp.filter(({ address, port }) => !published.has(`${address} ${port}`)),
		...(runs(observed, "dnsmasq") ? [] : dnsmasqPorts(site, provisioning)),
	];
}

const PUBLISHED: Readonly<Record<number, Pick<WantedPort, "use" | "field">>> = {
	[containerPorts.ramdiskApi]: { use: "the API", field: "Ironic.spec.networking.apiPort" },
	[containerPorts.operatorApi]: { use: "the API", field: "Ironic.spec.networking.apiPort" },
	[containerPorts.files]: { use: "boot files", field: "Ironic.spec.networking.imageServerPort" },
	[containerPorts.media]: { use: "virtual media", field: "Ironic.spec.networking.imageServerTLSPort" },
};

/** Those of the one service that uses the machine's own network. DHCP hears broadcasts, so it is on no address. */
function dnsmasqPorts(site: Site, provisioning: Machine["provisioning"]): readonly WantedPort[] {
	const mode = dhcpModeOf(site);
	if (mode === "off") return [];
	const { dhcp } = site.ironic.spec.networking;
	const { address } = provisioning;
	const wildcard = { protocol: "udp", interface: provisioning.interface } as const;
	return [
		{ ...wildcard, address: "0.0.0.0", port: 67, use: "DHCP" },
		{ protocol: "udp", address, port: 69, use: "TFTP" },
		...(mode === "proxy"
			? [{ ...wildcard, address: "0.0.0.0", port: 4011, use: "DHCP of PXE clients" }]
			: []),
		...(dhcp?.serveDNS === true ? [{ protocol: "udp", address, port: 53, use: "DNS" } as const] : []),
	];
}

async function spaceOf(
	{ deployRamdisk, engine }: Machine,
	observed: ObservedProject,
	paths: ReturnType<typeof sitePaths>,
	signal: AbortSignal,
): Promise<readonly WantedSpace[]> {
	const { storage } = await engine.info(signal);
	const isNew = observed.volumes.length === 0;
	// copied once for Ironic, and once more into each image of virtual media
	const ramdisk = await Promise.all([deployRamdisk.kernel, deployRamdisk.initramfs].map(sizeOf));
	const volumes = isNew ? NEW_VOLUMES_BYTES + 2 * ramdisk.reduce((sum, size) => sum + size, 0) : GROWTH_BYTES;
	return [
		{ path: paths.stateDirectory, bytes: STATE_BYTES, use: "state of the site" },
		{ path: paths.runDirectory, bytes: RUN_BYTES, use: "configuration of the stack" },
		...(storage === undefined
			? []
			: [{ path: storage, bytes: volumes, use: "containers and their volumes" }]),
	];
}

async function sizeOf(path: string): Promise<number> {
	return (await stat(path)).size;
}
