import { dirname, join } from "node:path";
import { type Lab, startLab } from "../../lab/lab.ts";
import { storyArtefacts } from "../../lab/story/artefacts.ts";
import {
	type Canaries,
	type CanaryWatch,
	type Found,
	storedCanaries,
	watchForCanaries,
} from "../../lab/story/canaries.ts";
import { serveImages } from "../../lab/story/image-server.ts";
import { ironstrap } from "../../lab/story/product.ts";
import { siteManifests, siteOfLab, writeManifests } from "../../lab/story/site.ts";

/*
 * The life of a site whose every secret is unlike anything else on the machine, with a wrong password and an
 * interruption on the way: `npm run exhaustive -- secrets [--json]`. No secret may be seen in any process, log,
 * output, or description of an engine's object, nor in a file that is no store; after `down --purge`, nowhere.
 */

const site = "metal3";
const given = {
	"BMC's wrong password": "Wrong-canary-5dK2xQ81",
	"user data": "canary-user-data-8Zt3vB6m",
};

interface Story {
	readonly lab: Lab;
	readonly watch: CanaryWatch;
	/** Runs a command, which must end with this code, and keeps what it printed. */
	run(args: readonly string[], exitCode?: number): Promise<void>;
}

async function main(words: readonly string[]): Promise<number> {
	const artefacts = await storyArtefacts();
	const lab = await startLab({ servers: [{ firmware: "uefi" }], imageStores: artefacts.imageStores });
	const watch = watchForCanaries(lab.sandbox);
	try {
		await serveImages(lab.sandbox, dirname(artefacts.os.image), new AbortController().signal);
		const right = siteOfLab(lab, artefacts, { boot: "ipxe", nonce: given["user data"] });
		const wrong = { ...right, bmc: { ...right.bmc, password: given["BMC's wrong password"] } };
		const folders = {
			right: writeManifests(join(lab.workDir, "site"), siteManifests(right)),
			wrong: writeManifests(join(lab.workDir, "wrong"), siteManifests(wrong)),
		};
		const canaries = { ...given, "BMC password": right.bmc.password };
		const found = await tell({ lab, watch, run: runner(lab, watch) }, folders, canaries);
		const hits = [...new Set(found.flatMap((each) => each.hits))];
		for (const hit of hits) console.error(hit);
		const searched = found.reduce((sum, { places }) => sum + places, 0);
		const result = {
			canaries: Object.keys(canaries).length + made,
			hits: hits.length,
			placesSearched: searched,
		};
		console.log(
			words.includes("--json") ? JSON.stringify(result) : `${searched} places, ${hits.length} hits`,
		);
		return hits.length === 0 ? 0 : 1;
	} finally {
		watch.stop();
		await lab.stop();
	}
}

/** How many secrets ironstrap makes for a site itself. */
const made = 6;

async function tell(
	{ lab, run, watch }: Story,
	folders: { readonly right: string; readonly wrong: string },
	canaries: Canaries,
): Promise<readonly Found[]> {
	await run(["up", "-f", folders.wrong], 1);
	await run(["up", "-f", folders.right]);
	for (const words of ["status", "hosts", "compose", "fence show", "env", `lint -f ${folders.right}`])
		await run(words.split(" "));
	await run(["pivot", "--export", join(lab.workDir, "bundle")]);
	const all = { ...canaries, ...storedCanaries(lab.sandbox, site) };
	if (Object.values(all).some((value) => value.length < 12)) throw new Error("a secret was not stored");
	const running = await watch.search(all);
	await run(["down"]);
	const stopped = await watch.search(all);
	await run(["down", "--purge", "--yes"]);
	const purged = await watch.search(all);
	return [running, stopped, purged];
}

function runner(lab: Lab, watch: CanaryWatch): Story["run"] {
	return async (args, exitCode = 0) => {
		const outcome = await ironstrap(lab.sandbox, args);
		watch.printed(`output of ${args[0]}`, JSON.stringify(outcome));
		if (outcome.exitCode !== exitCode)
			throw new Error(`${args.join(" ")}: ${JSON.stringify(outcome.result)}`);
	};
}

process.exitCode = await main(process.argv.slice(2));
