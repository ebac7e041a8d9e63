import test from "ava";
import { parseAllDocuments } from "yaml";
import { IronstrapErrors } from "../../../src/lib/errors.ts";
import { type BundleFile, exportBundle } from "../../../src/pivot/bundle.ts";
import type { HostExport, TakeOver } from "../../../src/pivot/host-export.ts";
import { bootstrapSchema } from "../../../src/resources/bootstrap.ts";
import { BMO_RELEASES, crdValidator, IRSO_RELEASES } from "../../support/crd.ts";
import { IMAGE, secret, site as siteOf } from "../hosts/_fixtures.ts";
import { UUID } from "../hosts/_model-ironic.ts";
import { DEPLOYED_AT, deployed, spare } from "./_hosts.ts";

const ACCESS = {
	credentials: { username: "ironic", password: "api-pw" },
	tls: { certificate: "CERT", key: "KEY", ca: "CA" },
};

function site(hosts: readonly HostExport[]) {
	return siteOf(
		hosts.map(({ host }) => host),
		{
			secrets: [
				{
					...secret("cp-0-bmc", { username: "admin", password: "bmc-pw" }),
					binaryData: { "keystore.jks": "/u3+7QAA" },
				},
				secret("cp-0-user-data", { userData: "kubeadm join --token abcdef" }),
				secret("cp-0-net", { networkData: "links: []" }),
				secret("unrelated", { key: "unrelated-value" }),
			],
			bootstrap: bootstrapSchema.parse({
				apiVersion: "ironstrap.io/v1alpha1",
				kind: "Bootstrap",
				metadata: { name: "metal3" },
				spec: { target: { ironic: { networking: { ipAddress: "172.22.0.2", interface: null } } } },
			}),
		},
	);
}

function bundle(hosts: readonly HostExport[], as?: TakeOver): readonly BundleFile[] {
	return exportBundle({
		site: site(hosts),
		hosts,
		access: ACCESS,
		runId: "r-0001",
		createdAt: "2026-08-02T09:00:00Z",
		as,
	});
}

interface Manifest {
	readonly kind: string;
	readonly metadata: {
		readonly name: string;
		readonly namespace: string;
		readonly labels: Record<string, string>;
		readonly annotations: Record<string, string>;
	};
	readonly spec: Record<string, unknown>;
	readonly data?: Record<string, string>;
	readonly stringData?: Record<string, string>;
}

function documents(files: readonly BundleFile[], path: string): Manifest[] {
	const content = files.find((file) => file.path === path)?.content ?? "";
	return parseAllDocuments(content).map((document) => document.toJS() as Manifest);
}

test("a deployed host is handed over as external, paused, with its real image and every brake on", (t) => {
	const [manifest] = documents(bundle([deployed()]), "manifests/30-baremetalhosts.yaml");
	t.deepEqual(manifest?.spec, {
		online: true,
		bmc: {
			address: "redfish+http://192.168.222.1:8000/redfish/v1/Systems/cp-0",
			credentialsName: "cp-0-bmc",
		},
		bootMACAddress: "52:54:00:ab:00:01",
		bootMode: "UEFI",
		architecture: "x86_64",
		automatedCleaningMode: "disabled",
		disablePowerOff: true,
		externallyProvisioned: true,
		image: IMAGE,
		rootDeviceHints: { deviceName: "/dev/disk/by-path/pci-0000:00:1f.2-ata-1" },
		preprovisioningNetworkDataName: "cp-0-net",
	});
	t.is(manifest?.metadata.annotations["baremetalhost.metal3.io/paused"], "ironstrap.io/r-0001");
	t.is(manifest?.metadata.annotations["example.org/rack"], "7");
	t.false("reboot.metal3.io" in (manifest?.metadata.annotations ?? {}));
	t.deepEqual(JSON.parse(manifest?.metadata.annotations["baremetalhost.metal3.io/status"] ?? ""), {
		operationalStatus: "OK",
		errorCount: 0,
		errorMessage: "",
		poweredOn: true,
		hardwareProfile: "unknown",
		lastUpdated: DEPLOYED_AT,
		operationHistory: {
			register: { start: "2026-08-01T10:00:00Z", end: "2026-08-01T10:01:00Z" },
			inspect: { start: "2026-08-01T10:01:00Z", end: "2026-08-01T10:09:00Z" },
			provision: { start: "2026-08-01T10:10:00Z", end: DEPLOYED_AT },
			deprovision: { start: null, end: null },
		},
		provisioning: {
			state: "externally provisioned",
			ID: UUID,
			bootMode: "UEFI",
			image: { url: "" },
			rootDeviceHints: { deviceName: "/dev/disk/by-path/pci-0000:00:1f.2-ata-1" },
		},
	});
});

test("as provisioned, spec and status carry the same image, and no external flag", (t) => {
	const [manifest] = documents(bundle([deployed()], "provisioned"), "manifests/30-baremetalhosts.yaml");
	const status = JSON.parse(manifest?.metadata.annotations["baremetalhost.metal3.io/status"] ?? "");
	t.false("externallyProvisioned" in (manifest?.spec ?? {}));
	t.deepEqual(manifest?.spec.image, IMAGE);
	t.deepEqual(status.provisioning.image, IMAGE);
	t.is(status.provisioning.state, "provisioned");
});

test("a spare host stays available and off, and may be powered", (t) => {
	const [manifest] = documents(bundle([spare()]), "manifests/30-baremetalhosts.yaml");
	t.like(manifest?.spec, { online: false, automatedCleaningMode: "disabled" });
	for (const field of ["image", "externallyProvisioned", "disablePowerOff"])
		t.false(field in (manifest?.spec ?? {}), field);
	t.like(JSON.parse(manifest?.metadata.annotations["baremetalhost.metal3.io/status"] ?? ""), {
		poweredOn: false,
		provisioning: { state: "available" },
	});
});

for (const release of BMO_RELEASES)
	for (const as of ["external", "provisioned"] as const)
		test(`hosts, statuses and HardwareData are valid on ${release}, as ${as}`, (t) => {
			const files = bundle([deployed(), spare()], as);
			const validHost = crdValidator(release, "BareMetalHost");
			const validHardware = crdValidator(release, "HardwareData");
			const hosts = documents(files, "manifests/30-baremetalhosts.yaml");
			t.is(hosts.length, 2);
			for (const manifest of hosts) {
				t.deepEqual(validHost(manifest), []);
				const status = JSON.parse(manifest.metadata.annotations["baremetalhost.metal3.io/status"] ?? "");
				// The API server fills in the default of v0.14's required counter before it validates.
				const defaulted = release === "bmo-v0.14.0-rc.0" ? { ...status, provisioningFailCount: 0 } : status;
				t.deepEqual(validHost({ ...manifest, status: defaulted }), []);
				t.true(Object.entries(manifest.metadata.annotations).flat().join("").length < 262_144);
			}
			const hardware = documents(files, "manifests/20-hardwaredata.yaml");
			t.is(hardware.length, 1);
			for (const manifest of hardware) t.deepEqual(validHardware(manifest), []);
		});

for (const release of IRSO_RELEASES)
	test(`the target's Ironic is valid on ${release}: the site's, changed as asked, without power enforcement`, (t) => {
		const [ironic] = documents(bundle([deployed()]), "manifests/40-ironic.yaml");
		t.deepEqual(crdValidator(release, "Ironic")(ironic), []);
		t.deepEqual(ironic?.spec, {
			apiCredentialsName: "ironic-api-credentials",
			tls: { certificateName: "ironic-tls" },
			networking: { ipAddress: "172.22.0.2" },
			extraConfig: [{ group: "conductor", name: "force_power_state_during_sync", value: "false" }],
		});
	});

test("Secrets: BMC, ramdisk network and Ironic's; the operator's carry its label; user data stay behind", (t) => {
	const files = bundle([deployed()]);
	const secrets = documents(files, "manifests/10-secrets.yaml");
	t.deepEqual(
		secrets.map(({ metadata }) => metadata.name),
		["ironic-api-credentials", "ironic-tls", "cp-0-bmc", "cp-0-net"],
	);
	t.deepEqual(
		secrets
			.filter(
				({ metadata }) => metadata.labels["environment.metal3.io/ironic-standalone-operator"] === "true",
			)
			.map(({ metadata }) => metadata.name),
		["ironic-api-credentials", "ironic-tls"],
	);
	t.deepEqual(secrets[2]?.stringData, { username: "admin", password: "bmc-pw" });
	t.deepEqual(secrets[2]?.data, { "keystore.jks": "/u3+7QAA" });
	const all = files.map(({ content }) => content).join("");
	for (const secretText of ["abcdef", "unrelated-value", "******"])
		t.false(all.includes(secretText), secretText);
	for (const { path, content } of files)
		if (path !== "manifests/10-secrets.yaml") t.false(/bmc-pw|api-pw|KEY/.test(content), path);
});

const NOT_NOW: readonly (readonly [string, HostExport, RegExp])[] = [
	["never enrolled", { ...deployed(), node: undefined }, /no node/],
	["nothing stored", { ...deployed(), stored: undefined }, /nothing is stored/],
	[
		"in transition",
		deployed({}, { provision_state: "deploying" }),
		/stored state provisioned, Ironic node deploying/,
	],
	["undeployed", deployed({}, { provision_state: "available" }), /Ironic node available/],
	["locked", deployed({}, { reservation: "labs-ironic" }), /locked by labs-ironic/],
	["on its way", deployed({}, { target_provision_state: "active" }), /on its way to active/],
	["power on its way", deployed({}, { target_power_state: "power on" }), /power is on its way/],
	["with an error", deployed({}, { last_error: "boom" }), /boom/],
	["with a fault", deployed({}, { fault: "power failure" }), /power failure/],
	["power unknown", deployed({}, { power_state: null }), /power unknown/],
	["power in error", deployed({}, { power_state: "error" }), /power error/],
	["live ISO", deployed({ image: { url: "http://h/l.iso", format: "live-iso" } }), /live ISO/],
	["DataImage", { ...deployed(), virtualMedia: [{ inserted: true }] }, /virtual media/],
	[
		"other image",
		{ ...deployed(), host: deployed({ image: { ...IMAGE, url: "http://h/new" } }).host },
		/is deployed, the manifest says http:\/\/h\/new/,
	],
];

for (const [title, subject, seen] of NOT_NOW)
	test(`refused: ${title}`, (t) => {
		const error = t.throws(() => bundle([spare(), subject]), { instanceOf: IronstrapErrors });
		t.true(error.errors.length >= 1);
		for (const fault of error.errors) {
			t.is(fault.code, "pivot-host-not-ready");
			t.is(fault.subject, "BareMetalHost metal3/cp-0");
			t.truthy(fault.fix);
		}
		t.true(
			error.errors.some((fault) => seen.test(fault.seen ?? "")),
			error.errors.map((fault) => fault.seen).join("; "),
		);
	});

test("a masked password is refused instead of exported", (t) => {
	const hosts = [deployed()];
	const masked = siteOf(
		hosts.map(({ host }) => host),
		{ secrets: [secret("cp-0-bmc", { username: "admin", password: "******" })] },
	);
	t.throws(
		() =>
			exportBundle({ site: masked, hosts, access: ACCESS, runId: "r-1", createdAt: "2026-08-02T09:00:00Z" }),
		{
			message: /password is the mask/,
		},
	);
});

test("the README names every file and every host, in order of use", (t) => {
	const files = bundle([deployed(), spare()]);
	const text = files.find(({ path }) => path === "README.md")?.content ?? "";
	for (const { path } of files.filter((file) => file.path !== "README.md"))
		t.true(text.includes(path.startsWith("status/") ? path : (path.split("/").at(-1) ?? path)), path);
	t.true(text.indexOf("ironstrap down") < text.indexOf("-f manifests/30-baremetalhosts.yaml"));
	t.true(text.indexOf("-f manifests/30-baremetalhosts.yaml") < text.indexOf("-f manifests/40-ironic.yaml"));
});
