import { imageStore } from "../../../lab/image-store.ts";
import { createNetwork } from "../../../lab/network.ts";
import { PODMAN_SOCKET, startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { difference, lookAtWorld, type World } from "../../../lab/story/world.ts";
import {
	changesOf,
	type Edit,
	mustHaveConductor,
	site,
	succeed,
	up,
	writeSite,
} from "../../support/bare-stack.ts";

/** A bootstrap machine with an engine and its images, and manifests of a site whose stack alone is brought up. */
export interface Machine {
	readonly sandbox: Sandbox;
	readonly up: readonly string[];
	/** Ends the engine's API, and leaves its socket behind; containers go on. */
	stopEngine(): Promise<void>;
	startEngine(): Promise<void>;
	stop(): Promise<void>;
}

export interface MachineOptions {
	/** The site has one host, which is never driven; without, it has none, so that it can be exported. */
	readonly host?: boolean;
	/** Image stores besides that of the current images. */
	readonly stores?: readonly string[];
	readonly edits?: readonly Edit[];
}

export async function startMachine({
	edits = [],
	host = true,
	stores = [],
}: MachineOptions = {}): Promise<Machine> {
	const imageStores = [await imageStore({ report: () => undefined }), ...stores];
	const sandbox = await startSandbox({ name: "crash-test" });
	try {
		await createNetwork(sandbox, { taps: [] });
		// as on a machine with other containers: Podman turns it on with its first bridge and leaves it on, and the
		// fence of a second life would differ from that of the first
		await sandbox.run("sh", ["-c", "echo 1 >/proc/sys/net/ipv4/ip_forward"]);
		let podman = await startPodman(sandbox, { imageStores });
		writeSite(sandbox, { edits, host });
		return {
			sandbox,
			up,
			async stopEngine() {
				podman.process.kill("SIGKILL");
				await podman.process.result;
			},
			async startEngine() {
				await sandbox.run("rm", ["-f", PODMAN_SOCKET]);
				podman = await startPodman(sandbox, { imageStores });
			},
			stop: () => sandbox.stop(),
		};
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

/** Throws with what differs. Hashes count where both worlds have the same secrets. */
export function mustEqual(wanted: World, found: World, sameSecrets: boolean): void {
	const differences = [
		...difference(wanted.engine, found.engine),
		...difference(wanted.files, found.files),
		...(sameSecrets ? difference(wanted.hashes, found.hashes) : []),
	];
	if (differences.length > 0)
		throw new Error(`the end differs from an uninterrupted one:\n${differences.join("\n")}`);
}

/**
 * The stack is as an uninterrupted `up` leaves it: the same things, a conductor that is alive, and, as the product
 * itself sees it, nothing left to do (so that every config hash is the one it should have).
 */
export async function mustBeUp(machine: Machine, wanted: World, sameSecrets = false): Promise<World> {
	const { sandbox, up } = machine;
	const found = await lookAtWorld(sandbox, site);
	mustEqual(wanted, found, sameSecrets);
	await mustHaveConductor(sandbox);
	const changed = changesOf(await succeed(sandbox, up));
	if (changed.length > 0) throw new Error(`another run was to ${changed.join(", ")}`);
	return found;
}
