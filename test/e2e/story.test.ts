import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { parseAllDocuments } from "yaml";
import { type Prelude, tellStory } from "../../lab/demo/story.ts";
import type { BootMethod } from "../../lab/story/site.ts";
import { BMO_RELEASES, crdValidator } from "../support/crd.ts";
import { sharedPath } from "../support/shared.ts";
import { badImages } from "./bad-days/images.ts";

interface Manifest {
	readonly kind: string;
	readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
	readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * The whole life of one server. `tellStory` itself fails unless the deployed system proved on its console that it
 * booted from its disk, and unless `down --purge` left nothing; with `pivot`, unless the cluster's Ironic has it, nobody
 * touched it, and it kept its address.
 */
async function story(t: ExecutionContext, boot: BootMethod, prelude?: Prelude): Promise<void> {
	t.timeout(20 * 60_000);
	const folder = mkdtempSync(join(tmpdir(), "ironstrap-e2e-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	const bundle = join(folder, "bundle");
	const controller = new AbortController();
	const pivot = boot === "ipxe";
	const result = await tellStory(
		{ json: true, boot, bundle, pivot, definitions: sharedPath("crds") },
		(text) => t.log(text),
		controller.signal,
		prelude,
	);
	t.is(result.state, "provisioned");
	t.true(result.osBooted);
	t.deepEqual([result.pivoted, result.bmcWrites], pivot ? [true, 0] : [undefined, undefined]);
	checkBundle(t, bundle);
}

/** Valid for every release of BMO, complete by its own checksums, and for nobody else to read. */
function checkBundle(t: ExecutionContext, bundle: string): void {
	t.notThrows(() => execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: bundle }));
	t.is((statSync(bundle).mode & 0o777).toString(8), "700");
	const [host] = manifests(bundle, "30-baremetalhosts.yaml");
	const [hardware] = manifests(bundle, "20-hardwaredata.yaml");
	for (const release of BMO_RELEASES)
		for (const object of [host, hardware])
			t.deepEqual(crdValidator(release, object?.kind ?? "")(object), [], `${object?.kind} on ${release}`);
	t.regex(host?.metadata.annotations?.["baremetalhost.metal3.io/paused"] ?? "", /^ironstrap\.io\//);
	const status = JSON.parse(host?.metadata.annotations?.["baremetalhost.metal3.io/status"] ?? "null") as {
		provisioning: { state: string };
	};
	t.is(status.provisioning.state, "externally provisioned");
	t.like(host?.spec, {
		online: true,
		externallyProvisioned: true,
		disablePowerOff: true,
		automatedCleaningMode: "disabled",
	});
	t.regex(readFileSync(join(bundle, "database.sql"), "utf8"), /INSERT INTO `nodes` VALUES/);
}

function manifests(bundle: string, file: string): readonly Manifest[] {
	const text = readFileSync(join(bundle, "manifests", file), "utf8");
	return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

test("UEFI network boot, two wrong images first: inspected, deployed, booted from disk, exported, handed over, gone without a trace", (t) =>
	story(t, "ipxe", (lab, site) => badImages(t, lab, site)));
test("virtual media, no DHCP server on the network: the same", (t) => story(t, "virtual-media"));
