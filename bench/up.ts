import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Lab, startLab } from "../lab/lab.ts";
import { PROVISIONING } from "../lab/network.ts";
import { type StoryArtefacts, storyArtefacts } from "../lab/story/artefacts.ts";
import { faultsIn, ironstrap } from "../lab/story/product.ts";
import { siteManifests, siteOfLab, writeManifests } from "../lab/story/site.ts";
import { median, rounded } from "./lib/median.ts";

/**
 * `ironstrap up --no-hosts` from an empty state against a script that starts the same containers by hand, both until
 * a conductor with its drivers is registered: alternating, medians, one run. Then `up` with nothing to do.
 * The last line is `{"upRatio","noopSeconds","noopVsCompose","stages",…}`; `noopVsCompose` is null where no
 * `docker compose` is installed.
 */
const baseline = fileURLToPath(new URL("../../bench/baseline/up.sh", import.meta.url));
/** Where the hand-written script finds the configuration and makes its sockets. */
const handConfig = "/run/by-hand";

async function main(): Promise<void> {
	const rounds = Number(process.argv.find((argument) => /^--rounds=\d+$/.test(argument))?.slice(9) ?? 5);
	const artefacts = await storyArtefacts();
	const lab = await startLab({ imageStores: artefacts.imageStores });
	try {
		const site = siteManifests(siteOfLab(lab, artefacts, { boot: "ipxe", nonce: "bench" }));
		const folder = writeManifests(join(lab.workDir, "site"), site);
		// warms the page cache for both, and leaves the configuration that the script borrows
		await up(lab, folder);
		await lab.sandbox.run("cp", ["-a", "/run/ironstrap/metal3", handConfig]);
		await down(lab);
		const ours: number[] = [];
		const byHand: number[] = [];
		for (let round = 1; round <= rounds; round++) {
			ours.push(await up(lab, folder));
			await down(lab);
			byHand.push(await handUp(lab, artefacts));
			await hand(lab, artefacts, "down");
			console.error(`round ${round}: ironstrap ${ours.at(-1)} s, by hand ${byHand.at(-1)} s`);
		}
		await up(lab, folder);
		const noop: number[] = [];
		for (let round = 1; round <= rounds; round++) noop.push(await up(lab, folder));
		const [upSeconds, handSeconds] = [median(ours), median(byHand)];
		console.log(
			JSON.stringify({
				upRatio: rounded(upSeconds / handSeconds),
				noopSeconds: median(noop),
				noopVsCompose: null,
				stages: { upSeconds, handSeconds },
				rounds,
			}),
		);
	} finally {
		await lab.stop();
	}
}

/** Seconds of one `up`. */
async function up(lab: Lab, folder: string): Promise<number> {
	const started = performance.now();
	const outcome = await ironstrap(lab.sandbox, ["up", "-f", folder, "--no-hosts"]);
	if (outcome.exitCode !== 0) throw new Error(`up: ${faultsIn(outcome)}`);
	return rounded((performance.now() - started) / 1000);
}

async function down(lab: Lab): Promise<void> {
	const outcome = await ironstrap(lab.sandbox, ["down", "--purge", "--yes"]);
	if (outcome.exitCode !== 0) throw new Error(`down: ${faultsIn(outcome)}`);
}

async function handUp(lab: Lab, artefacts: StoryArtefacts): Promise<number> {
	const started = performance.now();
	await hand(lab, artefacts, "up");
	return rounded((performance.now() - started) / 1000);
}

async function hand(lab: Lab, { ramdisk }: StoryArtefacts, action: "up" | "down"): Promise<void> {
	const words = [action, handConfig, PROVISIONING.address, ramdisk.kernel, ramdisk.initramfs];
	await lab.sandbox.run("sh", [baseline, ...words], { timeoutMs: 180_000 });
}

await main();
