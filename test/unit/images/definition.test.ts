import test from "ava";
import { readAsset } from "../../../src/assets/assets.ts";
import { imageNames, loadDefinition } from "../../../src/images/definition.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";

test("the packaged definitions carry the pinned users that volumes rely on", (t) => {
	const users = imageNames.flatMap((name) => loadDefinition(name, readAsset).users);
	t.deepEqual(
		users.map(({ name, id }) => `${name} ${id}`),
		["ironic 902", "httpd 903", "dnsmasq 904", "mysql 901"],
	);
});

test("every image has an init that forwards signals, and ends with the clean-up", (t) => {
	for (const name of imageNames) {
		const { packages, scripts, versionOf } = loadDefinition(name, readAsset);
		t.true(packages.includes("tini"));
		t.true(packages.includes(versionOf));
		t.is(scripts.at(-1)?.name, "finish.sh");
	}
});

test("the Ironic image has what Ironic calls by name", (t) => {
	const { packages } = loadDefinition("ironic", readAsset);
	for (const name of ["genisoimage", "qemu-utils", "mtools", "ipmitool", "ipxe", "dnsmasq-base", "apache2"])
		t.true(packages.includes(name), name);
});

test("a broken definition says which file and field", (t) => {
	const broken = (path: string) =>
		path.endsWith("image.yaml") ? readAsset(path).replace("id: 902", "id: 0") : readAsset(path);
	const error = t.throws(() => loadDefinition("ironic", broken), { instanceOf: IronstrapError });
	t.is(error?.code, "image-definition");
	t.regex(error?.message ?? "", /images\/ironic\/image\.yaml/);
	t.regex(error?.seen ?? "", /users\[0\]\.id/);
});
