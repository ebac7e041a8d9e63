import test from "ava";
import { readAsset } from "../../../src/assets/assets.ts";
import { loadDefinition } from "../../../src/images/definition.ts";
import { imageOptions, upstreamVersion } from "../../../src/images/mmdebstrap.ts";

const versions = [
	["1:29.0.5-0+deb13u4", "29.0.5"],
	["1:11.8.9+ds-0+deb13u1", "11.8.9"],
	["1:10.11.18-0+deb12u1", "10.11.18"],
	["3:6.04~git20190206.bf6db5b4+dfsg1-3.1", "6.04_git20190206.bf6db5b4"],
	["39.0.0", "39.0.0"],
	["2.91-1+deb13u2", "2.91"],
] as const;

for (const [version, tag] of versions)
	test(`the package version ${version} becomes the tag ${tag}`, (t) => t.is(upstreamVersion(version), tag));

test("users come before the packages, scripts after them, the clean-up last", (t) => {
	t.deepEqual(imageOptions(loadDefinition("ironic", readAsset), "/cache/.build-ironic"), [
		"--format=tar",
		"--skip=output/dev",
		'--essential-hook="/cache/.build-ironic/users.sh" "$1" ironic:902:/var/lib/ironic httpd:903:/nonexistent dnsmasq:904:/var/lib/misc',
		'--customize-hook="/cache/.build-ironic/fix-parent-node.sh" "$1"',
		'--customize-hook="/cache/.build-ironic/make-esp.sh" "$1"',
		'--customize-hook="/cache/.build-ironic/finish.sh" "$1"',
	]);
});
