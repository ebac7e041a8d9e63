import test from "ava";
import fc from "fast-check";
import { quadletLines } from "../../../src/systemd/quadlet-keys.ts";
import type { Version } from "../../../src/systemd/version.ts";

/**
 * Flag and value; the first Podman with a key for it; the line it gives from then on; the line before. From the version
 * gates of podlet 0.3 (src/quadlet/container.rs) and podman-systemd.unit(5).
 */
const table: readonly (readonly [
	flag: string,
	value: string | undefined,
	since: Version,
	key: string,
	args?: string,
])[] = [
	["--name", "c-1", [4, 4], "ContainerName=c-1"],
	["--network", "net:ip=10.0.0.2", [4, 4], "Network=net:ip=10.0.0.2"],
	["--publish", "127.0.0.1:6385:6386/tcp", [4, 4], "PublishPort=127.0.0.1:6385:6386/tcp"],
	["--volume", "data:/var/lib/mysql:rw", [4, 4], "Volume=data:/var/lib/mysql:rw"],
	["--env", "A=b c", [4, 4], 'Environment="A=b c"'],
	["--label", "a=b c", [4, 4], 'Label="a=b c"'],
	["--cap-drop", "ALL", [4, 4], "DropCapability=ALL"],
	["--cap-add", "CHOWN", [4, 4], "AddCapability=CHOWN"],
	["--read-only", undefined, [4, 4], "ReadOnly=true"],
	["--init", undefined, [4, 4], "RunInit=true"],
	["--tmpfs", "/tmp:mode=1777", [4, 5], "Tmpfs=/tmp:mode=1777", "PodmanArgs=--tmpfs=/tmp:mode=1777"],
	["--log-driver", "journald", [4, 5], "LogDriver=journald", "PodmanArgs=--log-driver=journald"],
	["--health-cmd", "sh x.sh", [4, 5], "HealthCmd=sh x.sh", 'PodmanArgs="--health-cmd=sh x.sh"'],
	["--health-interval", "10s", [4, 5], "HealthInterval=10s", "PodmanArgs=--health-interval=10s"],
	["--health-timeout", "10s", [4, 5], "HealthTimeout=10s", "PodmanArgs=--health-timeout=10s"],
	["--health-retries", "6", [4, 5], "HealthRetries=6", "PodmanArgs=--health-retries=6"],
	["--health-start-period", "60s", [4, 5], "HealthStartPeriod=60s", "PodmanArgs=--health-start-period=60s"],
	["--pull", "never", [4, 6], "Pull=never", "PodmanArgs=--pull=never"],
	["--pids-limit", "64", [4, 7], "PidsLimit=64", "PodmanArgs=--pids-limit=64"],
	["--read-only-tmpfs", "false", [4, 8], "ReadOnlyTmpfs=false", "PodmanArgs=--read-only-tmpfs=false"],
	["--entrypoint", "/tini", [5, 0], "Entrypoint=/tini", "PodmanArgs=--entrypoint=/tini"],
	["--stop-timeout", "60", [5, 0], "StopTimeout=60", "PodmanArgs=--stop-timeout=60"],
	["--stop-signal", "SIGWINCH", [5, 2], "StopSignal=SIGWINCH", "PodmanArgs=--stop-signal=SIGWINCH"],
	["--log-opt", "max-size=10m", [5, 2], "LogOpt=max-size=10m", "PodmanArgs=--log-opt=max-size=10m"],
	["--add-host", "a:10.0.0.1", [5, 3], "AddHost=a:10.0.0.1", "PodmanArgs=--add-host=a:10.0.0.1"],
	["--memory", "1g", [5, 5], "Memory=1g", "PodmanArgs=--memory=1g"],
];

const before = ([major, minor]: Version): Version => (minor > 0 ? [major, minor - 1] : [major - 1, 9]);
const linesOf = (flag: string, value: string | undefined, podman: Version) =>
	quadletLines({ flag, value }, podman).map((line) => line.join("="));

for (const [flag, value, since, key, args] of table) {
	test(`${flag} is a key of its own since Podman ${since.join(".")}`, (t) => {
		t.deepEqual(linesOf(flag, value, since), [key]);
		if (args !== undefined) t.deepEqual(linesOf(flag, value, before(since)), [args]);
	});
}

test("user and group are two keys", (t) => {
	t.deepEqual(linesOf("--user", "902:902", [4, 4]), ["User=902", "Group=902"]);
	t.deepEqual(linesOf("--user", "902", [4, 4]), ["User=902"]);
});

test("no-new-privileges has a key, other security options have none", (t) => {
	t.deepEqual(linesOf("--security-opt", "no-new-privileges:true", [4, 4]), ["NoNewPrivileges=true"]);
	t.deepEqual(linesOf("--security-opt", "label=disable", [5, 8]), [
		"PodmanArgs=--security-opt=label=disable",
	]);
});

test("an empty entry point is no empty key, which would say nothing", (t) => {
	t.deepEqual(linesOf("--entrypoint", "", [5, 8]), ["PodmanArgs=--entrypoint="]);
});

test("whatever the version, each flag is one key that it knows, or an argument", (t) => {
	const version = fc.tuple(fc.integer({ min: 4, max: 6 }), fc.integer({ min: 4, max: 9 }));
	fc.assert(
		fc.property(version, fc.constantFrom(...table), (podman, [flag, value, since, key, args]) => {
			const known = podman[0] > since[0] || (podman[0] === since[0] && podman[1] >= since[1]);
			t.deepEqual(linesOf(flag, value, podman), [known ? key : (args ?? "never: as old as Quadlet")]);
		}),
	);
});
