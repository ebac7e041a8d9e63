import test from "ava";
import { ironicText, lintText, summary } from "../../support/site-text.ts";

const secret = (name: string, data: string, kind = "Secret") =>
	`---\napiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: metal3}\n${data}\n`;

test("every Secret and ConfigMap that an Ironic names must be there", (t) => {
	const text = ironicText(`  apiCredentialsName: api
  database: {credentialsName: db, host: h, name: m, tlsCertificateName: dbca}
  tls:
    certificateName: cert
    bmcCA: {kind: ConfigMap, name: bmcca}
    trustedCAName: ca
`);
	t.deepEqual(summary(lintText(text)), [
		"error secret-missing 5:23",
		"error secret-missing 6:31",
		"error secret-missing 6:73",
		"error secret-missing 8:22",
		"error config-map-missing 9:36",
		"error config-map-missing 10:20",
	]);
});

test("what they hold is checked where it stands, never shown", (t) => {
	const text = `${ironicText("  apiCredentialsName: api\n  tls: {certificateName: cert, trustedCA: {kind: Secret, name: ca, key: b.crt}, bmcCAName: empty}\n")}${secret("api", `stringData:\n  username: ad min\n  password: ${"hunter2-".repeat(10)}`)}${secret("cert", "data:\n  tls.crt: ''")}${secret("ca", "stringData: {a.crt: x}")}${secret("empty", "data: {}")}`;
	const findings = lintText(text);
	t.deepEqual(summary(findings), [
		"error api-username-invalid 12:13",
		"error api-password-too-long 13:13",
		"error secret-key-missing 17:18",
		"error secret-key-missing 19:12",
		"error secret-key-missing 23:18",
		"error secret-empty 28:18",
	]);
	t.notRegex(JSON.stringify(findings), /hunter2|ad min/);
});

test("bytes are refused where text is needed, and let be elsewhere", (t) => {
	const keystore = "/u3+7QAA";
	const text = `${ironicText("  apiCredentialsName: api\n  tls: {bmcCAName: ca}\n")}${secret("api", `data: {username: YWRtaW4=, password: ${keystore}, other: ${keystore}}`)}${secret("ca", `data: {keystore.jks: ${keystore}}`)}`;
	const findings = lintText(text);
	t.deepEqual(summary(findings), ["error secret-key-binary 11:38", "error ca-invalid 16:22"]);
	t.is(findings[0]?.message, "`password` of the Secret is no UTF-8 text (needed by Ironic metal3/metal3)");
	const host = `---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: a, namespace: metal3}\nspec: {online: true, userData: {name: gz}}\n`;
	const compressed = secret("gz", "data: {value: H4sIAAAAAAAAAw==}");
	t.deepEqual(
		lintText(ironicText("  {}\n") + host + compressed)
			.filter(({ severity }) => severity === "error")
			.map(({ code }) => code),
		["secret-key-binary"],
	);
});

test("a ConfigMap may hold the BMC's CA", (t) => {
	const text = `${ironicText("  tls: {bmcCA: {kind: ConfigMap, name: ca}}\n")}${secret("ca", "data: {ca.crt: x}", "ConfigMap")}`;
	t.deepEqual(summary(lintText(text)), ["error ca-invalid 10:16"]);
	t.deepEqual(summary(lintText(text.replace("data: {ca.crt: x}", "data: {ca.crt: ''}"))), [
		"error secret-empty 9:18",
	]);
});

test("a Secret that could not be read is not called missing too", (t) => {
	const broken = secret("api", "stringData: {username: admin, password: 12345}");
	t.deepEqual(summary(lintText(ironicText("  apiCredentialsName: api\n") + broken)), [
		"error wrong-type 10:41",
	]);
	const unreadable = "---\nkind: Secret\nkind: Secret\n";
	t.deepEqual(
		lintText(ironicText("  apiCredentialsName: api\n") + unreadable).map(({ code }) => code),
		["yaml-duplicate-key"],
	);
});

test("a Secret of the right name in another namespace is pointed out", (t) => {
	const text = `${ironicText("  apiCredentialsName: api\n")}---\napiVersion: v1\nkind: Secret\nmetadata: {name: api}\nstringData: {username: a, password: b}\n`;
	const [finding] = lintText(text);
	t.is(finding?.code, "secret-missing");
	t.is(finding?.fix, "one of this name is in namespace default: set `metadata.namespace` of one of the two");
});

test("a certificate that cert-manager would issue is not missing", (t) => {
	const certificate =
		"---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: c, namespace: metal3}\nspec: {secretName: cert}\n";
	const text = ironicText("  tls: {certificateName: cert}\n") + certificate;
	t.deepEqual(summary(lintText(text)), [
		"warning certificate-from-cert-manager 5:26",
		"warning kind-not-used 8:7",
	]);
	t.deepEqual(summary(lintText(text.replace("secretName: cert", "secretName: other"))), [
		"error secret-missing 5:26",
		"warning kind-not-used 8:7",
	]);
});

test("one faulty Secret of many hosts is told once", (t) => {
	const host = (name: string) =>
		`---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: ${name}, namespace: metal3}\nspec: {online: true, bmc: {address: 'redfish-virtualmedia://${name}/redfish/v1/Systems/1', credentialsName: bmc}}\n`;
	const text =
		ironicText("  {}\n") +
		secret("bmc", "stringData: {username: admin, password: '  '}") +
		host("a") +
		host("b");
	t.deepEqual(summary(lintText(text)), ["error secret-key-missing 10:41"]);
});
