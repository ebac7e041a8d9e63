import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import test from "ava";
import { faultsOf } from "../../../src/lib/errors.ts";
import { loadSite } from "../../../src/site/load.ts";
import { sharedPath } from "../../support/shared.ts";
import { BASE, hostText, ironicText } from "../../support/site-text.ts";

async function folder(files: Record<string, string | Uint8Array>): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), "ironstrap-load-"));
	for (const [name, content] of Object.entries(files)) {
		if (name.includes("/")) await mkdir(join(path, name, ".."), { recursive: true });
		await writeFile(join(path, name), content);
	}
	return path;
}

async function refusal(promise: Promise<unknown>): Promise<readonly string[]> {
	try {
		await promise;
	} catch (error) {
		return faultsOf(error).map(({ code, where }) => `${code} ${where?.line ?? "-"}:${where?.column ?? "-"}`);
	}
	return [];
}

const HOST = hostText(
	"  online: true\n  bmc: {address: 'redfish-virtualmedia://h', credentialsName: bmc}\n  bootMACAddress: 52:54:00:AB:00:01",
);

test("the quick start of metal3's book loads as it is, with hints", async (t) => {
	const { site, warnings } = await loadSite([sharedPath("samples", "metal3-docs")]);
	t.is(site.name, "ironic");
	t.is(site.ironic.spec.networking.ipAddress, "192.168.222.2");
	t.is(site.ironic.spec.networking.apiPort, 6385);
	t.is(
		site.hosts[0]?.spec.bmc?.address,
		"redfish-virtualmedia+http://192.168.222.1:8000/redfish/v1/Systems/bmh-vm-01",
	);
	t.deepEqual(
		site.secrets.map(({ metadata, data }) => [metadata.name, data.username]),
		[["bml-01", "replaceme"]],
	);
	t.deepEqual([...new Set(warnings.map(({ code }) => code))].sort(), [
		"certificate-from-cert-manager",
		"kept-for-target",
		"kind-not-used",
	]);
});

test("a folder: sorted *.yaml, *.yml and *.json, links too, nothing hidden, no sub-folders", async (t) => {
	const path = await folder({
		"b.yml": HOST,
		"a.yaml": BASE,
		"c.json": JSON.stringify({
			apiVersion: "v1",
			kind: "ConfigMap",
			metadata: { name: "c" },
			data: { a: "b" },
		}),
		".hidden.yaml": "{",
		"notes.txt": "{",
		"sub/d.yaml": "{",
	});
	await symlink("c.json", join(path, "d.json"));
	t.deepEqual(await refusal(loadSite([path])), ["object-twice 1:58"], "the link is read");
	await rm(join(path, "d.json"));
	const { site, warnings } = await loadSite([path]);
	t.is(String(site.hosts[0]?.spec.bootMACAddress), "52:54:00:ab:00:01");
	t.deepEqual(
		site.configMaps.map(({ data }) => data),
		[{ a: "b" }],
	);
	t.deepEqual(warnings, []);
	t.deepEqual(site.locate({ kind: "BareMetalHost", namespace: "metal3", name: "cp-0" }, ["spec", "online"]), {
		file: join(path, "b.yml"),
		line: 5,
		column: 11,
	});
	t.deepEqual(site.locate({ kind: "BareMetalHost", namespace: "metal3", name: "cp-0" }), {
		file: join(path, "b.yml"),
		line: 1,
		column: 1,
	});
	t.is(site.locate({ kind: "BareMetalHost", namespace: "metal3", name: "cp-1" }), undefined);
	await rm(path, { recursive: true });
});

test("several inputs, one of them standard input; the same file twice counts once", async (t) => {
	const path = await folder({ "a.yaml": BASE });
	const file = join(path, "a.yaml");
	const { site } = await loadSite([file, "-", file, path], {
		stdin: Readable.from([Buffer.from(HOST.slice(0, 40)), HOST.slice(40)]),
	});
	t.is(site.hosts.length, 1);
	t.is(site.locate({ kind: "BareMetalHost", namespace: "metal3", name: "cp-0" })?.file, "<stdin>");
	await rm(path, { recursive: true });
});

test("everything that is wrong in all files is told at once", async (t) => {
	const path = await folder({
		"a.yaml": "a: 1\na: 2\n",
		"b.yaml": ironicText("  version: 1\n  fo: 1"),
		"c.yaml": "kind: Secret\napiVersion: v1\nmetadata: {}\n",
	});
	t.deepEqual(await refusal(loadSite([path])), [
		"yaml-duplicate-key 2:1",
		"wrong-type 5:12",
		"unknown-field 6:3",
		"missing-field 3:1",
	]);
	await rm(path, { recursive: true });
});

test("inputs that cannot be read say why", async (t) => {
	const path = await folder({
		"latin1.yaml": Buffer.from("# caf\u00e9\n", "latin1"),
		"utf16.yaml": Buffer.from("\uFEFFa: 1\n", "utf16le"),
		"empty/x.txt": "",
	});
	t.deepEqual(await refusal(loadSite([])), ["input-missing -:-"]);
	t.deepEqual(await refusal(loadSite([join(path, "none.yaml")])), ["input-unreadable 1:1"]);
	t.deepEqual(await refusal(loadSite([join(path, "empty")])), ["input-empty 1:1"]);
	t.deepEqual(await refusal(loadSite([join(path, "latin1.yaml")])), ["not-utf8 1:6"]);
	t.deepEqual(await refusal(loadSite([join(path, "utf16.yaml")])), ["not-utf8 1:1"]);
	t.deepEqual(await refusal(loadSite(["-"], { stdin: Readable.from([]) })), ["ironic-missing -:-"]);
	t.deepEqual(await refusal(loadSite(["-"], { stdin: Readable.from(["a".repeat(9 * 1024 * 1024)]) })), [
		"text-too-long 1:1",
	]);
	await rm(path, { recursive: true });
});

test("Ironic's defaults are those of its CRD; Bootstrap's are ours", async (t) => {
	const { site } = await loadSite(["-"], { stdin: Readable.from([ironicText("  {}")]) });
	t.deepEqual(site.ironic.spec, {
		deployRamdisk: {},
		images: {},
		inspection: {},
		networking: {
			apiPort: 6385,
			disableHostNetwork: false,
			imageServerPort: 6180,
			imageServerTLSPort: 6183,
			prometheusExporterPort: 9608,
			rpcPort: 6189,
		},
		tls: {},
	});
	t.deepEqual(site.bootstrap, {
		apiVersion: "ironstrap.io/v1alpha1",
		kind: "Bootstrap",
		metadata: { name: "metal3", namespace: "metal3" },
		spec: {
			database: "mariadb",
			registries: [],
			imageDownload: "conductor",
			ntpServers: [],
			dhcp: { mode: "auto", routerAdvertisements: "auto" },
			engine: { kind: "auto" },
			images: { ironic: "localhost/ironstrap/ironic:latest", mariadb: "localhost/ironstrap/mariadb:latest" },
			api: { listen: [] },
			fence: {
				mode: "shared",
				dhcp: "closed",
				egress: "limited",
				allow: [],
				servers: [],
				gateway: false,
			},
			limits: { hosts: 20, perBmc: 4, powerOnEvery: 500 },
			deadlines: {
				engine: 120_000,
				stack: 600_000,
				pull: 1_800_000,
				register: 300_000,
				inspect: 1_800_000,
				prepare: 1_800_000,
				provision: 3_600_000,
				deprovision: 3_600_000,
				power: 600_000,
				pivot: 900_000,
			},
			target: { ironic: {} },
		},
	});
	t.is(site.name, "metal3");
});
