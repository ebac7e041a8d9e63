import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import { startPodman } from "../../../lab/podman.ts";
import { REGISTRY, startRegistry } from "../../../lab/registry.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { faultsOf, type IronstrapError } from "../../../src/lib/errors.ts";
import { pullMissingImages } from "../../../src/lifecycle/pull-images.ts";
import { htpasswdLine } from "../../../src/pki/htpasswd.ts";
import type { Site } from "../../../src/resources/site.ts";
import { sitePaths } from "../../../src/state/layout.ts";
import { siteOf } from "../../unit/stack/fixture.ts";

/* Images come from a registry that wants a login: Debian's docker-registry, in the sandbox. */

const test = anyTest as TestFn<{ sandbox: Sandbox; socket: string; directory: string }>;

const [username, password] = ["robot", "pull-secret"];

test.before(async (t) => {
	t.timeout(600_000);
	const sandbox = await startSandbox({ name: "pull-test" });
	const directory = await mkdtemp(join(tmpdir(), "ironstrap-pull-"));
	t.context = { sandbox, socket: "", directory };
	await startRegistry(sandbox, await htpasswdLine(username, password));
	const { socket } = await startPodman(sandbox);
	t.context = { sandbox, socket, directory };
	await push(sandbox, "ironic:release-38.0", "first");
	await push(sandbox, "mariadb:1", "database");
});

test.after.always(async (t) => {
	await t.context.sandbox?.stop();
	await rm(t.context.directory, { recursive: true, force: true });
});

/** Makes an image of one file, pushes it, and forgets it. */
async function push(sandbox: Sandbox, name: string, content: string): Promise<void> {
	const reference = `${REGISTRY}/metal3/${name}`;
	const script = `cd "$(mktemp -d)" && echo "$1" >file && tar cf image.tar file
podman import --quiet image.tar "$2" >/dev/null
podman push --quiet --creds ${username}:${password} "$2"
podman rmi "$2" >/dev/null`;
	await sandbox.run("sh", ["-ec", script, "sh", content, reference]);
}

function site(socket: string, secret = password): Site {
	const auth = Buffer.from(`${username}:${secret}`).toString("base64");
	return siteOf({
		bootstrap: {
			engine: { kind: "podman", socket },
			images: { mariadb: "quay.io/metal3-io/mariadb:1" },
			registries: [{ registry: "quay.io/metal3-io", mirror: `${REGISTRY}/metal3`, pullSecretName: "pull" }],
		},
		secrets: [
			{
				apiVersion: "v1",
				kind: "Secret",
				metadata: { name: "pull", namespace: "metal3" },
				stringData: { ".dockerconfigjson": JSON.stringify({ auths: { [REGISTRY]: { auth } } }) },
			},
		],
	});
}

async function pull(wanted: Site, directory: string): Promise<void> {
	const roots = {
		state: join(directory, "state"),
		run: join(directory, "run"),
		cache: join(directory, "cache"),
	};
	await pullMissingImages(wanted, { roots, emit: () => undefined, signal: AbortSignal.timeout(120_000) });
}

async function faults(failing: Promise<unknown>): Promise<readonly IronstrapError[]> {
	return failing.then(
		() => {
			throw new Error("it did not fail");
		},
		(error: unknown) => faultsOf(error),
	);
}

async function pins(directory: string): Promise<Readonly<Record<string, string>>> {
	const { pins: file } = sitePaths("metal3", { state: join(directory, "state"), run: "", cache: "" });
	return JSON.parse(await readFile(file, "utf8")).images;
}

const built = "localhost/ironstrap/ironic:latest";

test.serial("a wrong login is refused by the registry, and the engine's words are told", async (t) => {
	const { directory, socket } = t.context;
	for (const fault of await faults(pull(site(socket, "wrong"), directory))) {
		t.is(fault.code, "image-pull-failed");
		t.regex(fault.seen ?? "", /unauthorized|authentication required/i);
	}
});

test.serial(
	"what is missing is pulled from the mirror with the pull secret, and pinned to its digest",
	async (t) => {
		const { directory, sandbox, socket } = t.context;
		await pull(site(socket), directory);
		const pinned = await pins(directory);
		t.regex(pinned[built] ?? "", new RegExp(`^${REGISTRY}/metal3/ironic@sha256:[0-9a-f]{64}$`));
		t.regex(pinned["quay.io/metal3-io/mariadb:1"] ?? "", new RegExp(`^${REGISTRY}/metal3/mariadb@sha256:`));
		const { stdout } = await sandbox.run("podman", ["images", "--format", "{{.Repository}}"]);
		t.deepEqual(stdout.trim().split("\n").sort(), [
			`${REGISTRY}/metal3/ironic`,
			`${REGISTRY}/metal3/mariadb`,
		]);
	},
);

test.serial(
	"a tag that moved changes nothing: the pinned image is kept, and pulled again when it is gone",
	async (t) => {
		const { directory, sandbox, socket } = t.context;
		const before = await pins(directory);
		const pinned = before[built] ?? "";
		await sandbox.run("podman", ["rmi", "--all", "--force"]);
		await push(sandbox, "ironic:release-38.0", "second");
		await pull(site(socket), directory);
		t.deepEqual(await pins(directory), before);
		const mounted = await sandbox.run("sh", ["-ec", 'cat "$(podman image mount "$1")/file"', "sh", pinned]);
		t.is(mounted.stdout.trim(), "first");
	},
);

test.serial("without a registry the way to build or load is told", async (t) => {
	const { directory, socket } = t.context;
	const wanted = site(socket);
	const elsewhere = {
		...wanted.bootstrap.spec,
		registries: [{ registry: "quay.io", mirror: "127.0.0.1:5001" }],
	};
	const lost = { ...wanted, name: "lost", bootstrap: { ...wanted.bootstrap, spec: elsewhere } };
	for (const { code, fix } of await faults(pull(lost, directory))) {
		t.is(code, "image-pull-failed");
		t.regex(fix ?? "", /`ironstrap images build`, or load an archive/);
	}
});
