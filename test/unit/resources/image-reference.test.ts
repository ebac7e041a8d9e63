import test from "ava";
import { parseImageReference } from "../../../src/resources/image-reference.ts";
import { lintText, summary } from "../../support/site-text.ts";

const DIGEST = `sha256:${"ab".repeat(32)}`;

const GOOD: Readonly<Record<string, readonly (string | undefined)[]>> = {
	mariadb: [undefined, "mariadb", undefined, undefined],
	"metal3-io/ironic:v1.2": [undefined, "metal3-io/ironic", "v1.2", undefined],
	"localhost/ironstrap/ironic:latest": ["localhost", "ironstrap/ironic", "latest", undefined],
	"registry.example:5000/a/b_c": ["registry.example:5000", "a/b_c", undefined, undefined],
	"[fd00::1]:5000/a": ["[fd00::1]:5000", "a", undefined, undefined],
	[`quay.io/metal3-io/ironic:latest@${DIGEST}`]: ["quay.io", "metal3-io/ironic", "latest", DIGEST],
};

for (const [text, [registry, repository = "", tag, digest]] of Object.entries(GOOD))
	test(`${text} is an image`, (t) =>
		t.deepEqual(parseImageReference(text), { registry, repository, tag, digest }));

for (const text of [
	"",
	"https://quay.io/metal3-io/ironic",
	"quay.io/Metal3/ironic",
	"quay.io//ironic",
	"ironic:",
	"ironic:la test",
	"ironic@latest",
	"ironic@sha256:12",
	`a@b@${DIGEST}`,
	"user:secret@quay.io/ironic",
	"-ironic",
])
	test(`${JSON.stringify(text)} is no image`, (t) => {
		t.throws(() => parseImageReference(text), { instanceOf: RangeError });
	});

test("the linter names the field, and shows nothing that may be a password", (t) => {
	const text = `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: {name: metal3}
spec: {images: {ironic: 'https://quay.io/ironic'}}
---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata: {name: metal3}
spec: {images: {mariadb: 'user:hunter2@quay.io/mariadb'}}
`;
	const findings = lintText(text);
	t.deepEqual(summary(findings), [
		"error image-reference-invalid 4:25",
		"error image-reference-invalid 9:26",
	]);
	t.notRegex(JSON.stringify(findings), /hunter2/);
});
