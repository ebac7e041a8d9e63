import test from "ava";
import { unfitComposePrograms } from "../../../src/checks/compose-programs.ts";
import { parseComposeVersion } from "../../../src/linux/compose-programs.ts";

test("versions as the programs of Debian 12, 13 and 14 tell them", (t) => {
	t.is(parseComposeVersion("2.26.1-4\n"), "2.26.1-4");
	t.is(parseComposeVersion("1.29.2\n"), "1.29.2");
	t.is(parseComposeVersion("v2.39.1"), "2.39.1");
	t.is(parseComposeVersion("podman-compose version 1.3.0\npodman version 5.4.2\n"), "1.3.0");
	t.is(
		parseComposeVersion(
			"['podman', '--version', '']\nusing podman version: 4.3.1\npodman-composer version  1.0.3\n",
		),
		"1.0.3",
	);
	t.is(parseComposeVersion("docker: 'compose' is not a docker command."), undefined);
});

test("programs that would run the stack otherwise than it is written are named, with the first that does not", (t) => {
	const unfit = (name: "docker compose" | "docker-compose" | "podman-compose", version: string) =>
		unfitComposePrograms([{ name, version }]).map(({ message }) => message);
	t.deepEqual(unfit("docker compose", "2.26.1-4"), []);
	t.deepEqual(unfit("docker compose", "2.23.2"), []);
	t.deepEqual(unfit("docker-compose", "1.29.2"), [
		"docker-compose 1.29.2 on this machine cannot run this file: it knows no mac_address of a network",
	]);
	t.deepEqual(unfit("podman-compose", "1.3.0"), []);
	t.deepEqual(unfit("podman-compose", "1.6.0"), []);
	t.regex(unfit("podman-compose", "1.0.3")[0] ?? "", /podman-compose 1\.0\.3 .*ignores network_mode/);
	t.regex(
		unfitComposePrograms([{ name: "podman-compose", version: "1.0.6" }])[0]?.fix ?? "",
		/1\.3\.0 or newer/,
	);
});
