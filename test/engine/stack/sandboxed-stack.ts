import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { imageStore } from "../../../lab/image-store.ts";
import { createNetwork, type LabNetwork } from "../../../lab/network.ts";
import { startPodman } from "../../../lab/podman.ts";
import type { CommandResult, RunOptions } from "../../../lab/sandbox/command.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import type { DriverOptions } from "./driver.ts";

/** A sandbox with Podman and the images, in which driver.ts brings a stack up. Paths are inside it. */
export interface SandboxedStack {
	readonly sandbox: Sandbox;
	readonly network: LabNetwork;
	/** Runs driver.ts; its answer, parsed. Throws with its standard error when it fails. */
	drive<T>(command: "up" | "plan" | "down", changes?: Partial<DriverOptions>): Promise<T>;
	/** Like `drive`, for a driver that is to fail or die. */
	attempt(command: "up", changes: Partial<DriverOptions>): Promise<CommandResult>;
	shell(script: string, options?: RunOptions): Promise<string>;
	/** HTTP status of a request with curl from this machine, the path sent as it is. */
	status(...curlArguments: readonly string[]): Promise<string>;
}

export const stackDirectory = "/var/lib/ironstrap/test";

/** Hostile on purpose: each character means something to SQL, to a URL, to oslo.config or to a shell. */
export const databasePassword = "p%a$s's\\w:@/rd";
export const apiPassword = "api-secret";

const optionsFile = "/run/ironstrap-lab/stack.json";

export async function startSandboxedStack(): Promise<SandboxedStack> {
	const store = await imageStore();
	const sandbox = await startSandbox({ name: "stack-test" });
	const network = await createNetwork(sandbox, { taps: [], neighbour: true });
	await startPodman(sandbox, { imageStores: [store] });
	const ramdisk = { kernel: "/run/ironstrap-lab/ipa/kernel", initramfs: "/run/ironstrap-lab/ipa/initramfs" };
	mkdirSync(sandbox.path("/run/ironstrap-lab/ipa"));
	for (const [name, path] of Object.entries(ramdisk)) writeFileSync(sandbox.path(path), `the ${name}`);
	const defaults: DriverOptions = {
		directory: stackDirectory,
		site: {},
		databasePassword,
		apiPassword,
		ramdisk,
	};
	const attempt = (command: string, changes: Partial<DriverOptions>) => {
		writeFileSync(sandbox.path(optionsFile), JSON.stringify({ ...defaults, ...changes }), { mode: 0o600 });
		const driver = join(process.cwd(), "dist/test/engine/stack/driver.js");
		return sandbox.run(process.execPath, [driver, command, optionsFile], {
			cwd: process.cwd(),
			reject: false,
			timeoutMs: 240_000,
		});
	};
	const shell = async (script: string, options: RunOptions = {}) =>
		(await sandbox.run("sh", ["-ec", script], options)).stdout;
	return {
		sandbox,
		network,
		attempt,
		shell,
		async drive(command, changes = {}) {
			const { exitCode, stdout, stderr } = await attempt(command, changes);
			if (exitCode !== 0) throw new Error(`driver ${command}: ${stderr}`);
			return JSON.parse(stdout);
		},
		async status(...curlArguments) {
			const fixed = ["-sk", "--path-as-is", "-m", "15", "-o", "/dev/null", "-w", "%{http_code}"];
			return (await sandbox.run("curl", [...fixed, ...curlArguments], { reject: false })).stdout;
		},
	};
}
