import { mkdirSync, writeFileSync } from "node:fs";
import { imageStore } from "../../../lab/image-store.ts";
import { createNetwork } from "../../../lab/network.ts";
import { PODMAN_SOCKET, startPodman } from "../../../lab/podman.ts";
import { LAB_RUN_DIRECTORY } from "../../../lab/sandbox/mounts.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { leftovers } from "../../../lab/story/leftovers.ts";
import { faultsIn, ironstrap, type Outcome } from "../../../lab/story/product.ts";
import { siteManifests, writeManifests } from "../../../lab/story/site.ts";
import { difference, lookAtWorld, secretsOf, type World } from "../../../lab/story/world.ts";

export const site = "metal3";

/** A bootstrap machine with an engine and its images, and manifests of a site whose stack alone is brought up. */
export interface Machine {
	readonly sandbox: Sandbox;
	readonly up: readonly string[];
	/** Ends the engine's API, and leaves its socket behind; containers go on. */
	stopEngine(): Promise<void>;
	startEngine(): Promise<void>;
	stop(): Promise<void>;
}

export const down = ["down"] as const;
export const purge = ["down", "--purge", "--yes"] as const;

/** The site has one host, which is never driven; without `host` it has none, so that it can be exported. */
export async function startMachine({ host = true } = {}): Promise<Machine> {
	const store = await imageStore({ report: () => undefined });
	const sandbox = await startSandbox({ name: "crash-test" });
	try {
		await createNetwork(sandbox, { taps: [] });
		// as on a machine with other containers: Podman turns it on with its first bridge and leaves it on, and the
		// fence of a second life would differ from that of the first
		await sandbox.run("sh", ["-c", "echo 1 >/proc/sys/net/ipv4/ip_forward"]);
		let podman = await startPodman(sandbox, { imageStores: [store] });
		return {
			sandbox,
			up: ["up", "-f", writeSite(sandbox, host), "--no-hosts"],
			async stopEngine() {
				podman.process.kill("SIGKILL");
				await podman.process.result;
			},
			async startEngine() {
				await sandbox.run("rm", ["-f", PODMAN_SOCKET]);
				podman = await startPodman(sandbox, { imageStores: [store] });
			},
			stop: () => sandbox.stop(),
		};
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

/** The folder with the manifests, inside the sandbox. */
function writeSite(sandbox: Sandbox, host: boolean): string {
	const folder = `${LAB_RUN_DIRECTORY}/site`;
	const ramdisk = {
		kernel: `${LAB_RUN_DIRECTORY}/ipa/kernel`,
		initramfs: `${LAB_RUN_DIRECTORY}/ipa/initramfs`,
	};
	mkdirSync(sandbox.path(`${LAB_RUN_DIRECTORY}/ipa`));
	// nothing boots it here
	for (const [name, path] of Object.entries(ramdisk)) writeFileSync(sandbox.path(path), `the ${name}`);
	const manifests = siteManifests({
		boot: "ipxe",
		host: {
			name: "cp-0",
			bmcAddress: "redfish://192.168.222.1:8000/redfish/v1/Systems/1",
			bootMAC: "52:54:00:ab:00:01",
			firmware: "uefi",
		},
		bmc: { username: "admin", password: "not-used" },
		nonce: "none",
		ramdisk,
		image: { url: "http://192.168.222.1:8081/os.qcow2", sha256: "0".repeat(64) },
	});
	const { "ironic.yaml": ironic = "" } = manifests;
	writeManifests(sandbox.path(folder), host ? manifests : { "ironic.yaml": ironic });
	return folder;
}

/** Runs the command to its end, which must be a success. */
export async function succeed(sandbox: Sandbox, args: readonly string[]): Promise<Outcome> {
	const outcome = await ironstrap(sandbox, args);
	if (outcome.exitCode !== 0) throw new Error(`ironstrap ${args.join(" ")}: ${faultsIn(outcome)}`);
	return outcome;
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
	const { result } = await succeed(sandbox, up);
	const changes = (result?.changes ?? []) as readonly { change: string; name: string }[];
	const changed = changes.filter(({ change }) => change !== "keep");
	if (changed.length > 0)
		throw new Error(`another run changed ${changed.map(({ name }) => name).join(", ")}`);
	return found;
}

/** Asked past the product, with curl. The password goes through standard input. */
export async function mustHaveConductor(sandbox: Sandbox): Promise<void> {
	const { "api-password": password, "api-username": username } = secretsOf(sandbox, site);
	const { stdout } = await sandbox.run("curl", ["-sSk", "--max-time", "20", "--config", "-"], {
		input: [
			`user = "${username}:${password}"`,
			'url = "https://127.0.0.1:6385/v1/conductors"',
			'header = "X-OpenStack-Ironic-API-Version: 1.90"',
		].join("\n"),
	});
	const { conductors } = JSON.parse(stdout) as { conductors: readonly { alive: boolean }[] };
	if (conductors.length !== 1 || conductors[0]?.alive !== true) throw new Error(`conductors: ${stdout}`);
}

/** What is left after a purge; containers' processes may need a moment to end after their container is gone. */
export async function leftAfterPurge(sandbox: Sandbox): Promise<readonly string[]> {
	const deadline = performance.now() + 5000;
	for (;;) {
		const left = await leftovers(sandbox);
		if (left.length === 0 || performance.now() > deadline) return left;
	}
}
