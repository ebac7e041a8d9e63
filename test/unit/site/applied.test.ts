import test from "ava";
import fc from "fast-check";
import { faultsOf } from "../../../src/lib/errors.ts";
import { bareMetalHostSchema } from "../../../src/resources/bare-metal-host.ts";
import { bootstrapSchema } from "../../../src/resources/bootstrap.ts";
import type { Secret } from "../../../src/resources/core.ts";
import type { Site } from "../../../src/resources/site.ts";
import { serialiseSite, siteFromApplied } from "../../../src/site/applied.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { arbitraryInput } from "../../support/arbitrary.ts";
import { BASE, hostText } from "../../support/site-text.ts";

const BOOTSTRAP =
	"---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: lab}\nspec: {deadlines: {inspect: 1h30m}, target: {ironic: {networking: {interface: null}}}}\n";
const TEXT = `${BASE}${hostText("  online: true\n  bmc: {address: 'redfish-virtualmedia://h', credentialsName: bmc}\n  bootMACAddress: 52:54:00:ab:00:01")}${BOOTSTRAP}`;
const site = () => assembleSite(parseDocuments(TEXT, "f").documents).site;

/** A site without its function, for comparing. */
function data({ locate: _, ...rest }: Site) {
	return rest;
}

test("a site comes back from its texts as it was", (t) => {
	const before = site();
	const after = siteFromApplied(serialiseSite(before));
	t.deepEqual(data(after), data(before));
	t.deepEqual(after.locate({ kind: "Secret", namespace: "metal3", name: "bmc" })?.file, "secrets.yaml");
	t.deepEqual(serialiseSite(after), serialiseSite(before));
});

test("secrets are in a text of their own, and in no other", (t) => {
	const { manifests, secrets } = serialiseSite(site());
	t.notRegex(manifests, /kind: Secret|c2VjcmV0|password/);
	t.regex(secrets, /password: c2VjcmV0/);
	t.is(secrets.match(/^kind: /gm)?.length, 1);
});

test("the texts are what kubectl takes: a duration is a duration, yes is quoted", (t) => {
	const yes = site();
	const { manifests } = serialiseSite({
		...yes,
		configMaps: [
			{
				apiVersion: "v1",
				kind: "ConfigMap",
				metadata: { name: "c", namespace: "metal3" },
				data: { a: "yes", b: "012", c: "1:30", d: "2026-01-31" },
			},
		],
	});
	t.regex(manifests, /inspect: 1h30m/);
	t.regex(manifests, /a: "yes"\n {2}b: "012"\n {2}c: "1:30"\n {2}d: "2026-01-31"/);
});

test("bytes in a Secret come back as they were", (t) => {
	const text = `${TEXT}---\napiVersion: v1\nkind: Secret\nmetadata: {name: store, namespace: metal3}\ndata: {a: YQ==, keystore.jks: /u3+7QAA, z: eg==}\n`;
	const before = assembleSite(parseDocuments(text, "f").documents).site;
	t.deepEqual(before.secrets[1]?.binaryData, { "keystore.jks": "/u3+7QAA" });
	const texts = serialiseSite(before);
	t.regex(texts.secrets, /^ {2}keystore\.jks: \/u3\+7QAA$/m);
	t.deepEqual(data(siteFromApplied(texts)), data(before));
	t.deepEqual(serialiseSite(siteFromApplied(texts)), texts);
});

test("odd values survive: any text in Secrets and ConfigMaps, any host and Bootstrap", (t) => {
	const texts = fc.dictionary(
		fc.stringMatching(/^[a-z._-]{1,8}$/),
		fc.string({ unit: "grapheme", maxLength: 30 }),
		{ maxKeys: 3 },
	);
	const before = site();
	fc.assert(
		fc.property(
			texts,
			arbitraryInput(bareMetalHostSchema),
			arbitraryInput(bootstrapSchema),
			(values, hostInput, bootstrapInput) => {
				const host = bareMetalHostSchema.safeParse(hostInput);
				const bootstrap = bootstrapSchema.safeParse(bootstrapInput);
				const metadata = { name: "odd", namespace: "metal3" };
				const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata, data: values };
				const odd: Site = {
					...before,
					secrets: [secret],
					configMaps: [{ apiVersion: "v1", kind: "ConfigMap", metadata, data: values }],
					hosts: host.success ? [host.data] : [],
					bootstrap: bootstrap.success ? bootstrap.data : before.bootstrap,
				};
				const after = siteFromApplied(serialiseSite(odd));
				t.deepEqual(
					JSON.parse(JSON.stringify({ ...data(after), name: "" })),
					JSON.parse(JSON.stringify({ ...data(odd), name: "" })),
				);
			},
		),
		{ numRuns: 25 },
	);
});

test("an older site stays readable though the linter has become stricter", (t) => {
	const applied = serialiseSite(site());
	const after = siteFromApplied({
		...applied,
		manifests: applied.manifests.replace("rangeEnd: 172.22.0.150", "rangeEnd: 10.0.0.1"),
	});
	t.is(after.ironic.spec.networking.dhcp?.rangeEnd, "10.0.0.1");
});

test("damaged texts are refused with their place", (t) => {
	const applied = serialiseSite(site());
	const codes = (texts: typeof applied) => {
		const error = t.throws(() =>
			siteFromApplied(texts, { manifests: "/s/site.yaml", secrets: "/s/secrets.yaml" }),
		);
		return faultsOf(error).map(({ code, where }) => `${code} ${where?.file}`);
	};
	t.deepEqual(codes({ ...applied, manifests: "" }), ["ironic-missing /s/site.yaml"]);
	t.deepEqual(codes({ ...applied, secrets: "{" }), ["yaml-syntax /s/secrets.yaml"]);
	t.deepEqual(codes({ ...applied, manifests: `${applied.manifests}\nfoo: 1\n` }), [
		"unknown-field /s/site.yaml",
	]);
});
