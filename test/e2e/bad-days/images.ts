import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionContext } from "ava";
import type { Lab } from "../../../lab/lab.ts";
import { BMC_NETWORK } from "../../../lab/network.ts";
import { serveImages } from "../../../lab/story/image-server.ts";
import { faultsIn, ironstrap, type Outcome } from "../../../lab/story/product.ts";
import { type StorySite, siteManifests, writeManifests } from "../../../lab/story/site.ts";
import { faultsOf } from "./machine.ts";

/**
 * Two bad days of one server: the checksum of another image, then an image larger than its disk. Both are told with
 * their place, and a later `up` with the right image goes on from there.
 */
export async function badImages(t: ExecutionContext, lab: Lab, site: StorySite): Promise<void> {
	const up = async (image: StorySite["image"]) => {
		const folder = writeManifests(join(lab.workDir, "bad-site"), siteManifests({ ...site, image }));
		const started = performance.now();
		const outcome = await ironstrap(lab.sandbox, ["up", "-f", folder]);
		t.log(`a wrong image: ${((performance.now() - started) / 1000).toFixed(1)} s`);
		return outcome;
	};
	told(t, await up({ ...site.image, sha256: "0".repeat(64) }), {
		code: "host-image-checksum",
		message: "the downloaded image does not have the checksum that the manifest says",
		line: 17,
		fix: /^compare spec\.image\.checksum with `sha256sum` of the file/,
	});
	const bigger = await tooBig(lab);
	told(t, await up(bigger), {
		code: "host-image-too-big",
		message: "the image does not fit",
		line: 16,
		fix: /^choose a larger root disk with spec\.rootDeviceHints/,
	});
	rmSync(join(lab.workDir, "bad-site"), { recursive: true });
}

function told(
	t: ExecutionContext,
	outcome: Outcome,
	expected: { readonly code: string; readonly message: string; readonly line: number; readonly fix: RegExp },
): void {
	t.is(outcome.exitCode, 1, faultsIn(outcome));
	const faults = faultsOf(outcome);
	t.deepEqual(
		faults.map(({ code }) => code),
		[expected.code],
		faultsIn(outcome),
	);
	t.is(faults[0]?.message, expected.message);
	t.regex(faults[0]?.where?.file ?? "", /bad-site\/host\.yaml$/);
	t.is(faults[0]?.where?.line, expected.line);
	t.regex(faults[0]?.fix ?? "", expected.fix);
}

const port = 8082;

/** An image of 1100 MiB for a disk of 1 GiB, served beside the right one. */
async function tooBig(lab: Lab): Promise<StorySite["image"]> {
	const folder = join(lab.workDir, "big");
	mkdirSync(folder);
	const file = join(folder, "big.qcow2");
	execFileSync("qemu-img", ["create", "-q", "-f", "qcow2", file, "1100M"]);
	await serveImages(lab.sandbox, folder, new AbortController().signal, port);
	return {
		url: `http://${BMC_NETWORK.address}:${port}/big.qcow2`,
		sha256: createHash("sha256").update(readFileSync(file)).digest("hex"),
	};
}
