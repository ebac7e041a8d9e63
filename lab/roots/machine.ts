import { imageStore } from "../image-store.ts";
import { createNetwork, type LabNetwork } from "../network.ts";
import { startPodman } from "../podman.ts";
import type { Sandbox } from "../sandbox.ts";
import type { EngineProgram } from "../story/leftovers.ts";
import { type RootName, rootNames, roots } from "./definition.ts";
import { dockerStore, startDocker } from "./docker.ts";
import { startInRoot } from "./enter.ts";

export interface EngineChoice {
	readonly root: RootName;
	readonly engine: EngineProgram;
}

/** A bootstrap machine of one release, with one engine that has the stack's images, and its networks. */
export interface EngineMachine extends EngineChoice {
	readonly sandbox: Sandbox;
	readonly network: LabNetwork;
	/** Output of the engine's own program. */
	cli(...words: readonly string[]): Promise<string>;
	/** The engine's version as it tells it, e.g. `26.1.5+dfsg1`. */
	readonly version: string;
	stop(): Promise<void>;
}

/** Every release with either of its engines. */
export const engineChoices: readonly EngineChoice[] = rootNames.flatMap((root) => [
	{ root, engine: "podman" },
	{ root, engine: "docker" },
]);

/** `docker 26.1 on trixie` */
export function describeChoice({ engine, root }: EngineChoice): string {
	return `${engine} ${roots[root].engines[engine]} on ${root}`;
}

export async function startEngineMachine({ engine, root }: EngineChoice): Promise<EngineMachine> {
	const store = engine === "docker" ? await dockerStore(root) : await imageStore();
	const sandbox = await startInRoot(root);
	try {
		const network = await createNetwork(sandbox, { taps: [], neighbour: true });
		if (engine === "docker") await startDocker(sandbox, store);
		else await startPodman(sandbox, { imageStores: [store] });
		const cli = async (...words: readonly string[]) => (await sandbox.run(engine, words)).stdout.trim();
		const version = await cli("version", "--format", "{{.Client.Version}}");
		return { engine, root, sandbox, network, cli, version, stop: () => sandbox.stop() };
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}
