import test from "ava";
import { parseProbe } from "../../../src/images/probe.ts";

const reference = "quay.io/metal3-io/ironic:release-38.0";

test("an image that lacks something is refused with everything that it lacks", (t) => {
	const output = 'warning: something\n{"missing":["mkisofs","iPXE for UEFI"],"init":"/usr/bin/tini"}\n';
	const error = t.throws(() => parseProbe("ironic", reference, output), { code: "image-incomplete" });
	t.like(error, { seen: "mkisofs, iPXE for UEFI" });
});

test("an image that says nothing is refused with what was seen", (t) => {
	const error = t.throws(() => parseProbe("mariadb", "mariadb:11", "sh: not found\n"), {
		code: "image-probe-failed",
	});
	t.like(error, { seen: "sh: not found" });
	t.throws(() => parseProbe("mariadb", "mariadb:11", '{"missing":"x"}'), { code: "image-probe-failed" });
	t.throws(() => parseProbe("mariadb", "mariadb:11", ""), { code: "image-probe-failed" });
});

test("a database image has an account and perhaps an init process", (t) => {
	const layout = parseProbe("mariadb", "mariadb:11", '{"missing":[],"uid":999,"gid":999}');
	const nothingElse = { init: undefined, paths: undefined, version: undefined };
	t.deepEqual(layout, { kind: "probed", uid: 999, gid: 999, ...nothingElse });
	const told = parseProbe("mariadb", "mariadb:11", '{"missing":[],"version":"11.8.9","uid":999,"gid":999}');
	t.like(told, { version: "11.8.9" });
	t.throws(() => parseProbe("ironic", reference, '{"missing":[],"uid":997,"gid":994}'), {
		code: "image-incomplete",
	});
});
