import test from "ava";
import { buildArguments, parseSimulation } from "../../../../src/lib/debian/bootstrap-arguments.ts";

const source = { uri: "http://mirror.example/debian", suite: "trixie", digest: "0", date: 0 };

test("what a simulation would install, including upgrades, once each and sorted", (t) => {
	const output = `I: simulate downloading packages with apt...
Inst gcc-14-base (14.2.0-19 Debian:13.8/stable [amd64])
Inst libc6 (2.41-12+deb13u5 Debian:13.8/stable [amd64]) []
Inst base-files [13.8] (13.8+deb13u8 Debian:13.8/stable [amd64])
Conf base-files (13.8+deb13u8 Debian:13.8/stable [amd64])
Inst libc6 (2.41-12+deb13u5 Debian:13.8/stable [amd64]) []
`;
	t.deepEqual(
		[...parseSimulation(output)],
		[
			["base-files", "13.8+deb13u8"],
			["gcc-14-base", "14.2.0-19"],
			["libc6", "2.41-12+deb13u5"],
		],
	);
});

test("a build checks signatures against Debian's keys, accepts an old index, and takes nothing it was not asked for", (t) => {
	const words = buildArguments({ suite: "trixie", packages: ["tini", "curl"] }, [source], ["--format=tar"]);
	t.deepEqual(words.slice(-3), [
		"trixie",
		"-",
		"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg check-valid-until=no] http://mirror.example/debian trixie main",
	]);
	t.true(words.includes("--include=tini,curl"));
	t.true(words.includes('--aptopt=APT::Install-Recommends "false"'));
	t.true(words.includes("--format=tar"));
});

test("licences stay when documentation goes", (t) => {
	const words = buildArguments({ suite: "trixie", packages: [] }, [source], []);
	const exclude = words.indexOf("--dpkgopt=path-exclude=/usr/share/doc/*");
	const include = words.indexOf("--dpkgopt=path-include=/usr/share/doc/*/copyright");
	t.true(exclude >= 0 && include > exclude, "the later option wins");
});
