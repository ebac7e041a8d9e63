import test from "ava";
import { mmdebstrapFailed } from "../../../../src/lib/debian/failures.ts";

const explain = (stderr: string) => mmdebstrapFailed("the image ironic", "trixie", stderr, "/var/cache/x");

// What apt, dpkg and tar really write.
const cases = [
	{
		stderr:
			"I: running apt-get update...\nE: Unable to locate package ironic-common\nE: mmdebstrap failed to run",
		code: "package-missing",
		message: /trixie has no package ironic-common/,
	},
	{
		stderr:
			"E: Failed to fetch http://mirror.example/debian/pool/main/t/tini/tini_0.19.0-3_amd64.deb  Could not connect to mirror.example:80 (192.0.2.1). - connect (111: Connection refused)\nE: Unable to fetch some archives",
		code: "mirror-unreachable",
		message: /tini_0\.19\.0-3_amd64\.deb cannot be downloaded/,
	},
	{
		stderr:
			"dpkg: error processing archive libc6.deb (--unpack):\n cannot copy extracted data: failed to write (No space left on device)",
		code: "disk-full",
		message: /not enough free space in \/var\/cache\/x/,
	},
	{
		stderr:
			'parent_node: the correction did not take\nE: setup failed: E: command failed: "/x/fix-parent-node.sh"',
		code: "packages-build-failed",
		message: /building the image ironic from trixie packages failed/,
	},
];

for (const { stderr, code, message } of cases)
	test(`a failed build is explained: ${code}`, (t) => {
		const error = explain(stderr);
		t.is(error.code, code);
		t.regex(error.message, message);
		t.truthy(error.fix);
	});

test("progress messages are not shown as the cause", (t) => {
	t.is(explain("I: extracting archives...\nit broke\n").seen, "it broke");
});
