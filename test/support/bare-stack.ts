import { mkdirSync, writeFileSync } from "node:fs";
import { LAB_RUN_DIRECTORY } from "../../lab/sandbox/mounts.ts";
import type { Sandbox } from "../../lab/sandbox.ts";
import { type EngineProgram, leftovers } from "../../lab/story/leftovers.ts";
import { faultsIn, ironstrap, type Outcome } from "../../lab/story/product.ts";
import { siteManifests, writeManifests } from "../../lab/story/site.ts";
import { secretsOf } from "../../lab/story/world.ts";

/*
 * A site whose stack alone is brought up, on whichever engine answers in a sandbox.
 */

export const site = "metal3";

/** The folder with the manifests, inside the sandbox. */
export const siteFolder = `${LAB_RUN_DIRECTORY}/site`;

export const up = ["up", "-f", siteFolder, "--no-hosts"] as const;
export const down = ["down"] as const;
export const purge = ["down", "--purge", "--yes"] as const;

/** One change to the site: part of a manifest's text, and what is in its place. */
export type Edit = readonly [from: string, to: string];

/** Manifests of one host that is never driven; without `host` of none, so that the site can be exported. */
export function writeSite(
	sandbox: Sandbox,
	{ edits = [], host = true }: { readonly edits?: readonly Edit[]; readonly host?: boolean } = {},
): void {
	const ramdisk = {
		kernel: `${LAB_RUN_DIRECTORY}/ipa/kernel`,
		initramfs: `${LAB_RUN_DIRECTORY}/ipa/initramfs`,
	};
	mkdirSync(sandbox.path(`${LAB_RUN_DIRECTORY}/ipa`), { recursive: true });
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
	const ironic = edits.reduce(edited, manifests["ironic.yaml"] ?? "");
	writeManifests(
		sandbox.path(siteFolder),
		host ? { ...manifests, "ironic.yaml": ironic } : { "ironic.yaml": ironic },
	);
}

function edited(text: string, [from, to]: Edit): string {
	if (!text.includes(from)) throw new Error(`the manifest has no ${JSON.stringify(from)}`);
	return text.replace(from, to);
}

/** Runs the command to its end, which must be a success. */
export async function succeed(sandbox: Sandbox, args: readonly string[]): Promise<Outcome> {
	const outcome = await ironstrap(sandbox, args);
	if (outcome.exitCode !== 0) throw new Error(`ironstrap ${args.join(" ")}: ${faultsIn(outcome)}`);
	return outcome;
}

/** What an `up` did not keep: `replace ironstrap-metal3-ironic-1`. */
export function changesOf({ result }: Outcome): readonly string[] {
	const changes = (result?.changes ?? []) as readonly { change: string; name: string }[];
	return changes.filter(({ change }) => change !== "keep").map(({ change, name }) => `${change} ${name}`);
}

/** Asked past the product, with curl. The password goes through standard input. */
export function askIronic(sandbox: Sandbox, path: string): Promise<string> {
	return curlIronic(sandbox, path, []);
}

/** A change, past the product as well; a refusal is an error. */
export function requestIronic(
	sandbox: Sandbox,
	method: "POST" | "PUT" | "PATCH",
	path: string,
	body: unknown,
): Promise<string> {
	return curlIronic(sandbox, path, [
		`request = "${method}"`,
		"fail-with-body",
		'header = "Content-Type: application/json"',
		`data = ${JSON.stringify(JSON.stringify(body))}`,
	]);
}

async function curlIronic(sandbox: Sandbox, path: string, more: readonly string[]): Promise<string> {
	const { "api-password": password, "api-username": username } = secretsOf(sandbox, site);
	const { stdout } = await sandbox.run("curl", ["-sSk", "--max-time", "20", "--config", "-"], {
		input: [
			`user = "${username}:${password}"`,
			`url = "https://127.0.0.1:6385${path}"`,
			'header = "X-OpenStack-Ironic-API-Version: 1.95"',
			...more,
		].join("\n"),
	});
	return stdout;
}

export async function mustHaveConductor(sandbox: Sandbox): Promise<void> {
	const stdout = await askIronic(sandbox, "/v1/conductors");
	const { conductors } = JSON.parse(stdout) as { conductors: readonly { alive: boolean }[] };
	if (conductors.length !== 1 || conductors[0]?.alive !== true) throw new Error(`conductors: ${stdout}`);
}

/** What is left after a purge; containers' processes may need a moment to end after their container is gone. */
export async function leftAfterPurge(sandbox: Sandbox, engine?: EngineProgram): Promise<readonly string[]> {
	const deadline = performance.now() + 5000;
	for (;;) {
		const left = await leftovers(sandbox, engine);
		if (left.length === 0 || performance.now() > deadline) return left;
	}
}
