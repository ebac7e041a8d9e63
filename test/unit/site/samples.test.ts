import test from "ava";
import { lintDocuments } from "../../../src/site/lint.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { listShared, readShared } from "../../support/shared.ts";
import { summary } from "../../support/site-text.ts";

const IRONIC = "apiVersion: ironic.metal3.io/v1alpha1\nkind: Ironic\nmetadata: {name: metal3}\n";

/**
 * What is said about every sample, read together with an empty Ironic if it has none. An empty list: it loads without
 * a word.
 */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
	"bifrost/baremetal.csv.example": ["error not-an-object 1:1"],
	"bifrost/baremetal.json.example": ["error kind-missing 2:7"],
	"bifrost/baremetal.yml.example": ["error kind-missing 2:3"],
	// Made for a demonstration without real hosts: the same MAC and BMC for several, Secrets of another namespace.
	"bmo/demo-hosts.yaml": [
		"warning host-without-bmc 16:9",
		"warning kind-not-used 20:7",
		"warning boot-mac-unknown 45:14",
		"warning network-boot-without-dhcp 45:14",
		"error bmc-address-twice 70:14",
		"warning boot-mac-unknown 70:14",
		"warning network-boot-without-dhcp 70:14",
		"warning boot-mac-unknown 92:14",
		"warning network-boot-without-dhcp 92:14",
		"warning boot-mac-unknown 114:14",
		"warning network-boot-without-dhcp 114:14",
		"warning boot-mac-unknown 136:14",
		"warning network-boot-without-dhcp 136:14",
		"warning network-boot-without-dhcp 158:14",
		"error secret-other-namespace 162:16",
		"warning network-boot-without-dhcp 187:14",
		"error boot-mac-twice 189:19",
		"error secret-other-namespace 191:16",
		"error bmc-address-twice 216:14",
		"warning network-boot-without-dhcp 216:14",
		"error boot-mac-twice 218:19",
		"error secret-other-namespace 220:16",
	],
	"bmo/example-host-bad-credentials.yaml": [
		"error secret-key-missing 19:13",
		"warning boot-mac-unknown 29:14",
		"warning network-boot-without-dhcp 29:14",
	],
	"bmo/example-host.yaml": ["warning boot-mac-unknown 19:14", "warning network-boot-without-dhcp 19:14"],
	"bmo/metal3.io_v1alpha1_baremetalhost.yaml": ["error missing-field 5:1", "error unknown-field 7:3"],
	"bmo/metal3.io_v1alpha1_dataimage.yaml": ["warning kind-not-used 2:7"],
	"bmo/metal3.io_v1alpha1_hostfirmwarecomponents.yaml": ["warning kind-not-used 2:7"],
	"bmo/metal3.io_v1alpha1_hostfirmwaresettings.yaml": ["warning kind-not-used 2:7"],
	"bmo/worker-0.yaml": [
		"warning network-boot-without-dhcp 19:14",
		"warning image-checksum-md5 24:15",
		"error secret-other-namespace 27:16",
	],
	"irso/v1alpha1_ironic.yaml": [],
	"irso/v1alpha1_ironic_with_networking_sample.yaml": ["warning kept-for-target 9:3"],
	"metal3-docs/bmc-secret.yaml": [],
	"metal3-docs/bmh-01.yaml": ["error secret-missing 12:22"],
	"metal3-docs/ironic_certificate.yaml": [
		"warning kind-not-used 3:7",
		"warning kind-not-used 11:7",
		"warning kind-not-used 24:7",
		"warning kind-not-used 33:7",
	],
	// The Certificate that makes this Secret is in another file.
	"metal3-docs/ironic_ironic.yaml": ["warning kept-for-target 15:23", "error secret-missing 17:22"],
	// Written for a cluster that has the Secret.
	"takeover/bmh-externally-provisioned.yaml": ["error secret-missing 16:22"],
	"takeover/bmh-provisioned.yaml": ["error secret-missing 15:22"],
	"takeover/status-externally-provisioned.json": ["error kind-missing 2:2"],
	"takeover/status-provisioned.json": ["error kind-missing 2:2"],
};

for (const [name, expected] of Object.entries(SAMPLES))
	test(`${name}: ${expected.length === 0 ? "loads" : "is judged rightly"}`, (t) => {
		const text = readShared("samples", ...name.split("/"));
		const ironic = parseDocuments(/kind: Ironic$/m.test(text) ? "" : IRONIC, "ironic.yaml");
		const sample = parseDocuments(text, name);
		const findings = lintDocuments(
			[...sample.documents, ...ironic.documents],
			[...sample.findings, ...ironic.findings],
		);
		t.deepEqual(summary(findings), [...expected]);
		t.true(findings.every(({ where }) => where?.file === name));
	});

test("no sample is left out", (t) => {
	const files = listShared("samples")
		.filter((folder) => folder !== "README.md")
		.flatMap((folder) => listShared("samples", folder).map((file) => `${folder}/${file}`));
	t.deepEqual(files, Object.keys(SAMPLES).sort());
});
