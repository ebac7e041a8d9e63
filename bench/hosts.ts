import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { imageStore } from "../lab/image-store.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { faultsIn, ironstrap } from "../lab/story/product.ts";
import { siteManifests, writeManifests } from "../lab/story/site.ts";
import { rounded } from "./lib/median.ts";

/**
 * Many hosts on the real stack, with Ironic's fake hardware: registered and made available as `up` does it, against a
 * plain loop of the same requests, each on an empty database; then watched. `--hosts=N` for another number than 1000.
 * The last line is `{"hosts","rateRatio","rssMiB","perHostMs","watchCpuPercent"}`: the rate of ours by that of the loop,
 * the largest memory of our process, and the part of a core that watching takes.
 */
const worker = fileURLToPath(new URL("./hosts/worker.js", import.meta.url));
const FEW = 100;

async function main(): Promise<void> {
	const given = process.argv.find((argument) => /^--hosts=\d+$/.test(argument))?.slice(8);
	const hosts = Number(given ?? 1000);
	const lab = await startLab({ imageStores: [await imageStore()] });
	try {
		const folder = siteFolder(lab);
		const measure = async (kind: "ours" | "raw", count: number) => {
			await succeed(lab, ["up", "-f", folder, "--no-hosts"]);
			const scratch = `/tmp/bench-${kind}-${count}`;
			const { stdout } = await lab.sandbox.run(process.execPath, [worker, kind, String(count), scratch], {
				timeoutMs: 60_000 + count * 1_000,
			});
			await succeed(lab, ["down", "--purge", "--yes"]);
			console.error(`${kind} ${count}: ${stdout}`);
			return JSON.parse(stdout) as { seconds: number; rssMiB: number; watchCpuPercent: number };
		};
		const few = await measure("ours", FEW);
		const many = await measure("ours", hosts);
		const loop = await measure("raw", hosts);
		console.log(
			JSON.stringify({
				hosts,
				rateRatio: rounded(loop.seconds / many.seconds),
				rssMiB: rounded(many.rssMiB),
				perHostMs: {
					[FEW]: rounded((few.seconds * 1000) / FEW),
					[hosts]: rounded((many.seconds * 1000) / hosts),
				},
				watchCpuPercent: rounded(many.watchCpuPercent),
			}),
		);
	} finally {
		await lab.stop();
	}
}

/** A site whose Ironic has fake hardware as well. */
function siteFolder(lab: Lab): string {
	const [server] = lab.servers;
	if (server === undefined) throw new Error("the lab has no server");
	const ramdisk = { kernel: "/run/ipa-kernel", initramfs: "/run/ipa-initramfs" };
	for (const path of Object.values(ramdisk)) writeFileSync(lab.sandbox.path(path), path);
	const manifests = siteManifests({
		boot: "ipxe",
		host: { name: server.name, bmcAddress: server.bmcAddress, bootMAC: server.mac, firmware: "uefi" },
		bmc: lab.bmc,
		nonce: "bench",
		ramdisk,
		image: { url: "http://192.0.2.1/none.qcow2", sha256: "0".repeat(64) },
	});
	const fake = Object.entries({
		hardware_types: "redfish,ipmi,manual-management,fake-hardware",
		boot_interfaces: "ipxe,redfish-virtual-media,redfish-https,fake",
		deploy_interfaces: "direct,ramdisk,custom-agent,fake",
		management_interfaces: "ipmitool,redfish,noop,fake",
	}).map(([name, value]) => `    - {name: enabled_${name}, value: "${value}"}\n`);
	const ironic =
		manifests["ironic.yaml"]?.replace("spec:\n", `spec:\n  extraConfig:\n${fake.join("")}`) ?? "";
	return writeManifests(join(lab.workDir, "site"), { ...manifests, "ironic.yaml": ironic });
}

async function succeed(lab: Lab, words: readonly string[]): Promise<void> {
	const outcome = await ironstrap(lab.sandbox, words);
	if (outcome.exitCode !== 0) throw new Error(`${words[0]}: ${faultsIn(outcome)}`);
}

await main();
