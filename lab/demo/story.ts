import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { IronstrapError } from "../../src/lib/errors.ts";
import { clusterPrograms } from "../cluster/build.ts";
import { type Lab, type LabServer, startLab } from "../lab.ts";
import { storyArtefacts } from "../story/artefacts.ts";
import { proveBoot } from "../story/boot-proof.ts";
import { serveImages } from "../story/image-server.ts";
import { leftovers } from "../story/leftovers.ts";
import { ironstrap, succeed } from "../story/product.ts";
import { type StorySite, siteManifests, siteOfLab, writeManifests } from "../story/site.ts";
import { definitionsAt, handOver, type Target } from "./hand-over.ts";
import type { DemoOptions } from "./options.ts";
import { openStages, type Stage, type Stages, upStages } from "./stages.ts";

export interface DemoResult {
	/** `status.provisioning.state` of the host as ironstrap stored it. */
	readonly state: string;
	/** The deployed system was seen to boot from its disk after a power cycle, with this run's nonce and instance UUID. */
	readonly osBooted: boolean;
	readonly bundle: string;
	readonly stages: readonly Stage[];
	/** With `--pivot` (hand-over.ts). */
	readonly pivoted?: boolean;
	readonly bmcWrites?: number;
}

/** What a story may have happen before its `up`, with the site as it will be. */
export type Prelude = (lab: Lab, site: StorySite) => Promise<void>;

const firmware = "uefi";
const bootDeadlineMs = 180_000;

/** Small enough to be filled in seconds by an image that is too big. */
const diskGiB = 1;

/**
 * The main job on one emulated server, from manifests to an exported bundle, and away again without a trace.
 * `prelude` may have other manifests fail first.
 */
export async function tellStory(
	options: DemoOptions,
	say: (text: string) => void,
	signal: AbortSignal,
	prelude?: Prelude,
): Promise<DemoResult> {
	const stages = openStages(({ name, seconds }) =>
		say(`${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s`),
	);
	const definitions = options.pivot ? definitionsAt(options.definitions) : undefined;
	const artefacts = await stages.time("artefacts", () => storyArtefacts({ signal }));
	const target =
		definitions === undefined ? undefined : { definitions, programs: await clusterPrograms({ signal }) };
	const lab = await stages.time("lab", () =>
		startLab({ servers: [{ firmware, diskGiB }], imageStores: artefacts.imageStores, signal }),
	);
	try {
		const [server] = lab.servers;
		if (server === undefined) throw new Error("the lab has no server");
		await serveImages(lab.sandbox, dirname(artefacts.os.image), signal);
		const nonce = randomBytes(12).toString("hex");
		const site = siteOfLab(lab, artefacts, { boot: options.boot, nonce, pivot: options.pivot });
		if (prelude !== undefined) await stages.time("prelude", () => prelude(lab, site));
		return await live(lab, server, site, { ...options, target }, stages);
	} finally {
		await lab.stop();
	}
}

async function live(
	lab: Lab,
	server: LabServer,
	site: StorySite,
	{ bundle, target }: Pick<DemoOptions, "bundle"> & { readonly target: Target | undefined },
	stages: Stages,
): Promise<DemoResult> {
	const manifests = writeManifests(join(lab.workDir, "site"), siteManifests(site));
	const onLine = upStages(stages);
	succeed("up", await ironstrap(lab.sandbox, ["up", "-f", manifests], { onLine }));
	const { instanceUuid, state } = await storedHost(lab);
	await stages.time("boot from disk", () =>
		proveBoot(lab, server, { nonce: site.nonce, instanceUuid, firmware }, bootDeadlineMs),
	);
	const exported = join(lab.workDir, "bundle");
	await stages.time("export", async () =>
		succeed("pivot --export", await ironstrap(lab.sandbox, ["pivot", "--export", exported])),
	);
	const handedOver = target === undefined ? {} : await handOver(lab, server, site, target, stages);
	await stages.time("down --purge", async () =>
		succeed("down --purge", await ironstrap(lab.sandbox, ["down", "--purge", "--yes"])),
	);
	const left = await leftovers(lab.sandbox);
	if (left.length > 0)
		throw new IronstrapError({
			code: "demo-leftovers",
			message: "down --purge left something",
			seen: left.join("\n"),
		});
	rmSync(bundle, { recursive: true, force: true });
	mkdirSync(dirname(bundle), { recursive: true, mode: 0o700 });
	cpSync(exported, bundle, { recursive: true });
	return { state, osBooted: true, bundle, stages: stages.list, ...handedOver };
}

/** What ironstrap stored about the story's host. */
async function storedHost(lab: Lab): Promise<{ state: string; instanceUuid: string }> {
	const outcome = await ironstrap(lab.sandbox, ["hosts"]);
	succeed("hosts", outcome);
	const hosts = outcome.result?.hosts as readonly {
		status: { provisioning: { state: string; ID: string } };
	}[];
	const { ID, state } = hosts[0]?.status.provisioning ?? { ID: "", state: "unknown" };
	return { state, instanceUuid: ID };
}
