import test from "ava";
import { lintDocuments } from "../../../src/site/lint.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { documentText } from "../../../src/site/yaml-text.ts";
import { CA, leafFor, VALID } from "../../support/certificate.ts";
import { ironicText } from "../../support/site-text.ts";

const NOW = new Date("2026-06-01T00:00:00Z");
const IRONIC = ironicText(
	"  networking: {ipAddress: 172.22.0.1, externalIP: 192.0.2.1}\n  tls: {certificateName: cert}\n",
);
const good = leafFor(["metal3.metal3.svc"], ["172.22.0.1", "192.0.2.1"]);
const complete = { "tls.crt": good.certificate, "tls.key": good.key, "ca.crt": CA.certificate };

/** `severity code key: message`: the key of the Secret that the finding points at. */
function findings(data: Readonly<Record<string, string>>, now: Date | undefined = NOW) {
	const secret = documentText({
		apiVersion: "v1",
		kind: "Secret",
		metadata: { name: "cert", namespace: "metal3" },
		stringData: data,
	});
	const text = `${IRONIC}${secret}`;
	const { documents } = parseDocuments(text, "site.yaml");
	const lines = text.split("\n");
	return lintDocuments(documents, [], { now }).map(({ code, message, severity, where }) => {
		const key = /^ {2}([a-z.]+):/.exec(lines[(where?.line ?? 0) - 1] ?? "")?.[1];
		return `${severity} ${code} ${key ?? `line ${where?.line}`}: ${message}`;
	});
}

test("a certificate that fits is not spoken of", (t) => t.deepEqual(findings(complete), []));

test("an address that will be asked for and is not in the certificate", (t) => {
	const leaf = leafFor(["metal3.metal3.svc"], ["172.22.0.1"]);
	t.deepEqual(findings({ ...complete, "tls.crt": leaf.certificate }), [
		"error certificate-address-missing tls.crt: the certificate is not good for 192.0.2.1, by which it will be asked",
	]);
});

test("the name that the target asks for is worth a warning", (t) => {
	const leaf = leafFor(["other.example"], ["172.22.0.1", "192.0.2.1"]);
	t.deepEqual(findings({ ...complete, "tls.crt": leaf.certificate }), [
		"warning certificate-name-missing tls.crt: the certificate is not good for metal3.metal3.svc, the name by which the target cluster asks",
	]);
});

test("dates: expired, not yet valid, near the end, and unspoken of without a clock", (t) => {
	t.deepEqual(findings(complete, new Date("2027-01-01T00:00:00Z")), [
		"error certificate-expired tls.crt: the certificate has expired",
	]);
	t.deepEqual(findings(complete, new Date("2025-12-31T00:00:00Z")), [
		"error certificate-not-yet-valid tls.crt: the certificate is not valid yet",
	]);
	t.deepEqual(findings(complete, new Date("2026-12-28T00:00:00Z")), [
		"warning certificate-expires-soon tls.crt: the certificate expires within a week",
	]);
	const { documents } = parseDocuments(IRONIC, "site.yaml");
	t.deepEqual(
		lintDocuments(documents).map(({ code }) => code),
		["secret-missing"],
	);
});

test("a key of another pair, one that cannot be read, and one that is missing", (t) => {
	t.deepEqual(findings({ ...complete, "tls.key": CA.key }), [
		"error certificate-key-foreign tls.key: `tls.key` does not belong to `tls.crt`",
	]);
	t.deepEqual(findings({ ...complete, "tls.key": "secret" }), [
		"error certificate-key-invalid tls.key: `tls.key` is not a private key without a passphrase, in PEM",
	]);
	t.deepEqual(findings({ ...complete, "tls.key": "" }), [
		"error secret-key-missing tls.key: the Secret has an empty `tls.key` (needed by Ironic metal3/metal3)",
	]);
});

test("the CA: of another certificate, none, no PEM; a self-signed certificate needs none", (t) => {
	t.deepEqual(findings({ ...complete, "ca.crt": good.certificate }), [
		"error certificate-authority-foreign ca.crt: `ca.crt` did not sign `tls.crt`",
	]);
	const { "ca.crt": _, ...alone } = complete;
	t.deepEqual(findings(alone), [
		"error certificate-authority-missing tls.crt: the Secret has no `ca.crt`, and the certificate is not signed by itself: nobody could check it",
	]);
	t.deepEqual(findings({ ...complete, "ca.crt": "hello" }), [
		"error certificate-authority-invalid ca.crt: `ca.crt` is not a PEM certificate",
	]);
	t.deepEqual(findings({ ...alone, "tls.crt": `${good.certificate}${CA.certificate}` }), []);
});

test("what is no certificate is said once, without its text", (t) => {
	t.deepEqual(findings({ ...complete, "tls.crt": "hunter2" }), [
		"error certificate-invalid tls.crt: `tls.crt` is not a PEM certificate",
	]);
	const damaged = good.certificate.replace(/A/g, "!");
	t.deepEqual(findings({ ...complete, "tls.crt": damaged }), [
		"error certificate-invalid tls.crt: `tls.crt` is not a PEM certificate",
	]);
});

test("CAs for BMCs and image servers must be PEM", (t) => {
	const text = `${ironicText("  tls: {bmcCA: {kind: ConfigMap, name: ca}, trustedCA: {kind: Secret, name: images, key: b}}\n")}${documentText(
		{
			apiVersion: "v1",
			kind: "ConfigMap",
			metadata: { name: "ca", namespace: "metal3" },
			data: { a: CA.certificate, z: "x" },
		},
	)}${documentText({
		apiVersion: "v1",
		kind: "Secret",
		metadata: { name: "images", namespace: "metal3" },
		stringData: { a: "not taken", b: "no PEM" },
	})}`;
	const { documents } = parseDocuments(text, "site.yaml");
	t.deepEqual(
		lintDocuments(documents).map(({ code, message }) => `${code}: ${message}`),
		[
			"ca-invalid: `z` is taken as a CA, but holds no PEM certificate",
			"ca-invalid: `b` is taken as a CA, but holds no PEM certificate",
		],
	);
	t.true(VALID.notAfter > NOW);
});
