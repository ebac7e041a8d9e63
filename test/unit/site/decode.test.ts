import test from "ava";
import { BASE, ironicText, lintText, summary } from "../../support/site-text.ts";

const only = (text: string) => lintText(`${ironicText("  {}\n")}---\n${text}`);

for (const [text, code, fix] of [
	[
		"apiVersion: metal3.io/v1alpha1\nkind: BaremetalHost\nmetadata: {name: a}\n",
		"kind-unknown",
		/did you mean `kind: BareMetalHost`\?/,
	],
	[
		"apiVersion: metal3.io/v1beta1\nkind: BareMetalHost\nmetadata: {name: a}\n",
		"api-version-wrong",
		/write `apiVersion: metal3.io\/v1alpha1`/,
	],
	[
		"apiVersion: ironic.openstack.org/v1beta1\nkind: Ironic\nmetadata: {name: a}\n",
		"api-version-wrong",
		/ironic.metal3.io\/v1alpha1/,
	],
	["kind: Secret\nmetadata: {name: a}\n", "api-version-missing", /write `apiVersion: v1`/],
	["apiVersion: v1\nmetadata: {name: a}\n", "kind-missing", /inventories of other tools/],
	["apiVersion: v1\nkind: Secert\nmetadata: {name: a}\n", "kind-unknown", /did you mean `kind: Secret`\?/],
	[
		"apiVersion: ironstrap.io/v1alpha1\nkind: Site\nmetadata: {name: a}\n",
		"kind-unknown",
		/Ironic, BareMetalHost, HardwareData, Secret, ConfigMap and Bootstrap/,
	],
	["- a\n- b\n", "not-an-object", /ironstrap takes/],
	["just text\n", "not-an-object", /ironstrap takes/],
] as const)
	test(`${text.split("\n").slice(0, 2).join(", ")}: ${code}`, (t) => {
		const [finding, ...rest] = only(text);
		t.is(finding?.code, code);
		t.is(finding?.severity, "error");
		t.regex(finding?.fix ?? "", fix);
		t.truthy(finding?.where);
		t.deepEqual(rest, []);
	});

for (const text of [
	"apiVersion: cert-manager.io/v1\nkind: Issuer\n",
	"apiVersion: v1\nkind: Namespace\n",
	"apiVersion: apps/v1\nkind: Deployment\n",
	"apiVersion: metal3.io/v1alpha1\nkind: HostFirmwareSettings\n",
	"apiVersion: machine.openshift.io/v1beta1\nkind: Machine\n",
	"apiVersion: ironic.metal3.io/v1alpha1\nkind: IronicDatabase\n",
])
	test(`${text.split("\n")[1]} is not used, which is said`, (t) => {
		t.deepEqual(summary(only(text)), ["warning kind-not-used 8:7"]);
	});

test("an unknown field is an error with its place and the nearest known name", (t) => {
	const findings = lintText(
		ironicText("  networking:\n    interfce: eth1\n    dchp: {}\n  tls: {certificateNme: a}\n  fooBar: 1"),
	);
	t.deepEqual(summary(findings), [
		"error unknown-field 6:5",
		"error unknown-field 7:5",
		"error unknown-field 8:9",
		"error unknown-field 9:3",
	]);
	t.deepEqual(
		findings.slice(0, 3).map(({ fix }) => fix),
		["did you mean `interface`?", "did you mean `dhcp`?", "did you mean `certificateName`?"],
	);
	t.regex(findings[3]?.fix ?? "", /^remove it; known here: apiCredentialsName, database/);
	t.is(findings[1]?.message, "`spec.networking.dchp` is not a field of Ironic");
});

test("wrong types say what is wanted and how to write it", (t) => {
	const findings = lintText(
		ironicText(
			"  version: 38.0\n  networking:\n    apiPort: '6385'\n    bindInterface: 'true'\n    macAddresses: eth1\n    dhcp: yes please\n  tls: []",
		),
	);
	t.deepEqual(
		findings.map(({ message, fix, seen }) => `${message} | ${fix} | ${seen}`),
		[
			"`spec.version` must be a text, not a number | put the value in quotes | 38",
			"`spec.networking.apiPort` must be a number, not a text | write the number without quotes | 6385",
			"`spec.networking.bindInterface` must be true or false, not a text | write true or false, without quotes | true",
			"`spec.networking.macAddresses` must be a list, not a text | write a list | eth1",
			"`spec.networking.dhcp` must be a mapping, not a text | write a mapping | yes please",
			"`spec.tls` must be a mapping, not a list | write a mapping | []",
		],
	);
});

test("wrong values say which are right, and the nearest", (t) => {
	const text = `${BASE}apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: CP_0, namespace: metal3}\nspec:\n  online: true\n  bootMode: uefi\n  bootMACAddress: 5254.00ab.0001\n  rootDeviceHints: {minSizeGigabytes: -1}\n`;
	const findings = lintText(text);
	t.deepEqual(summary(findings), [
		"error invalid-value 22:18",
		"error invalid-value 25:13",
		"error invalid-value 26:19",
		"error invalid-value 27:39",
	]);
	t.is(findings[1]?.message, "`spec.bootMode` must be one of UEFI, UEFISecureBoot, legacy");
	t.is(findings[1]?.fix, "did you mean UEFI?");
	t.is(findings[2]?.fix, "write 52:54:00:ab:00:01");
	t.is(findings[3]?.message, "`spec.rootDeviceHints.minSizeGigabytes` must be at least 0");
});

test("values of Secrets and other sensitive fields are never shown", (t) => {
	const texts = [
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {x: [hunter2]}}\nstringData:\n  password: [hunter2]\ntype: 5\n",
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {password: 'hunter2!'}\n",
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: hunter2\n",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: [hunter2]\n",
		"apiVersion: ironic.metal3.io/v1alpha1\nkind: Ironic\nmetadata: {name: a}\nspec: {extraConfig: [{name: a, value: [hunter2]}], deployRamdisk: {extraKernelParams: [hunter2]}}\n",
		"apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: a}\nspec: {online: true, image: {url: 'x://u:hunter2@h/', checksum: 'u:hunter2@h'}, bmc: {address: 'u:hunter2@h', credentialsName: a}}\n",
	];
	for (const text of texts) {
		const findings = lintText(text);
		t.true(findings.some(({ severity }) => severity === "error"));
		t.notRegex(JSON.stringify(findings), /hunter2/);
	}
});

test("a Secret's data is decoded, stringData lies over it, line ends in base64 do not matter", (t) => {
	t.deepEqual(
		summary(
			only("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  a: |\n    aHVudGVy\n    Mg==\n"),
		),
		[],
	);
	t.deepEqual(summary(only("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: 'a'}\n")), [
		"error invalid-value 10:11",
	]);
});

test("what kubectl get -o yaml prints is taken", (t) => {
	const meta =
		"metadata:\n  name: a\n  namespace: metal3\n  uid: u\n  resourceVersion: '5'\n  generation: 2\n  creationTimestamp: '2026-01-31T12:00:00Z'\n  finalizers: [baremetalhost.metal3.io]\n  managedFields: [{manager: x}]\n";
	const status =
		"status:\n  operationalStatus: OK\n  errorMessage: ''\n  errorCount: 0\n  poweredOn: true\n  lastUpdated: '2026-01-31T12:00:00Z'\n  provisioning: {state: available, ID: ''}\n  operationHistory:\n    register: {start: '2026-01-31T12:00:00Z', end: null}\n";
	const text = `${BASE}apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\n${meta}spec: {online: true, bmc: {address: 'redfish-virtualmedia://h', credentialsName: bmc}}\n${status}`;
	t.deepEqual(summary(lintText(text)), []);
});
