import { mkdtempSync, writeFileSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { candidates } from "../../../src/engine/candidates.ts";
import { discoverEngine } from "../../../src/engine/discover.ts";
import type { IronstrapError } from "../../../src/lib/errors.ts";
import { describedEngine } from "../../support/described-engine.ts";

test("the site's own socket is the only one tried; else the environment comes before the usual places", (t) => {
	t.deepEqual(
		candidates({ kind: "auto", socket: "/x.sock", environment: { DOCKER_HOST: "unix:///y.sock" } }),
		[{ source: "Bootstrap.spec.engine.socket", socket: "/x.sock" }],
	);
	t.deepEqual(
		candidates({
			kind: "auto",
			environment: { DOCKER_HOST: "unix:///run/docker.sock", CONTAINER_HOST: "unix:///p" },
		}).map(({ source, socket }) => `${source} ${socket}`),
		[
			"DOCKER_HOST /run/docker.sock",
			"CONTAINER_HOST /p",
			"Podman's usual socket /run/podman/podman.sock",
			"Docker's usual socket /var/run/docker.sock",
		],
	);
});

test("engines of a user are looked for after the machine's own, by whichever way root was come to", (t) => {
	const environment = { HOME: "/home/me", XDG_RUNTIME_DIR: "/run/user/1000", SUDO_UID: "1000" };
	t.deepEqual(
		candidates({ kind: "auto", environment })
			.slice(3)
			.map(({ socket }) => socket),
		[
			"/run/user/1000/podman/podman.sock",
			"/run/user/1000/docker.sock",
			"/run/user/1000/podman/podman-machine-default-api.sock",
			"/home/me/.docker/desktop/docker.sock",
		],
	);
	t.deepEqual(
		candidates({ kind: "auto", environment: { SUDO_UID: "7" } })
			.slice(3)
			.map(({ socket }) => socket),
		[
			"/run/user/7/podman/podman.sock",
			"/run/user/7/docker.sock",
			"/run/user/7/podman/podman-machine-default-api.sock",
		],
	);
});

test("an engine on another machine is refused: it could not mount this one's files", (t) => {
	const [first] = candidates({ kind: "auto", environment: { DOCKER_HOST: "tcp://10.0.0.1:2376" } });
	t.regex(first?.refused ?? "", /this machine's files/);
});

test("the error tells every place and why it does not serve", async (t) => {
	const directory = mkdtempSync(join(tmpdir(), "engine-"));
	const file = join(directory, "file.sock");
	writeFileSync(file, "");
	const error = await t.throwsAsync<IronstrapError>(
		discoverEngine({ kind: "auto", socket: file, environment: {} }, AbortSignal.timeout(5000)),
	);
	t.is(error?.code, "engine-not-found");
	t.is(error?.seen, `Bootstrap.spec.engine.socket (${file}): it is no socket`);
	t.regex(error?.fix ?? "", /podman\.socket/);
});

test("Podman is told from Docker by its component; a wrong kind and a rootless engine are refused", async (t) => {
	const podman = { Version: "4.3.1", Components: [{ Name: "Podman Engine", Version: "4.3.1" }] };
	const socket = await describedEngine(podman, { MemoryLimit: true, PidsLimit: false, SecurityOptions: [] });
	const found = await discoverEngine({ kind: "auto", socket, environment: {} }, AbortSignal.timeout(5000));
	t.like(found.info, { kind: "podman", version: "4.3.1", limits: { memory: true, pids: false } });
	const wrong = await t.throwsAsync<IronstrapError>(
		discoverEngine({ kind: "docker", socket, environment: {} }, AbortSignal.timeout(5000)),
	);
	t.regex(wrong?.seen ?? "", /it is podman 4\.3\.1, not docker/);
	const rootless = await describedEngine({ Version: "28.5.2" }, { SecurityOptions: ["name=rootless"] });
	const refused = await t.throwsAsync<IronstrapError>(
		discoverEngine({ kind: "auto", socket: rootless, environment: {} }, AbortSignal.timeout(5000)),
	);
	t.regex(refused?.seen ?? "", /runs there without root/);
	const remapped = await describedEngine(
		{ Version: "28.5.2" },
		{ SecurityOptions: ["name=seccomp,profile=builtin", "name=userns"] },
	);
	const strangers = await t.throwsAsync<IronstrapError>(
		discoverEngine({ kind: "auto", socket: remapped, environment: {} }, AbortSignal.timeout(5000)),
	);
	t.regex(strangers?.seen ?? "", /userns-remap/);
});

test("Podman claims limits in a unified tree of control groups whose controllers it does not have", async (t) => {
	const podman = { Version: "5.4.2", Components: [{ Name: "Podman Engine", Version: "5.4.2" }] };
	for (const [cgroupVersion, limits] of [
		["v2", { memory: false, pids: true }],
		["v1", { memory: true, pids: true }],
	] as const) {
		const host = { cgroupVersion, cgroupControllers: ["hugetlb", "pids"] };
		const socket = await describedEngine(podman, { MemoryLimit: true, PidsLimit: true, host });
		const found = await discoverEngine(
			{ kind: "auto", socket, environment: {} },
			new AbortController().signal,
		);
		t.deepEqual(found.info.limits, limits);
	}
});

test("an engine in a virtual machine is refused, because no DHCP request arrives there", async (t) => {
	const refusal = async (info: object) => {
		const socket = await describedEngine({ Version: "28.5.2" }, info);
		const error = await t.throwsAsync<IronstrapError>(
			discoverEngine({ kind: "auto", socket, environment: {} }, AbortSignal.timeout(5000)),
		);
		return error?.seen ?? "";
	};
	const desktop = { OperatingSystem: "Docker Desktop", KernelVersion: release() };
	t.regex(await refusal(desktop), /virtual machine or elsewhere \(Docker Desktop, .*DHCP/);
	const machine = { OperatingSystem: "fedora", KernelVersion: "6.14.9-300.fc42.x86_64" };
	t.regex(await refusal(machine), /\(fedora, Linux 6\.14\.9-300\.fc42\.x86_64; this machine has .*DHCP/);
	const here = await describedEngine(
		{ Version: "28.5.2" },
		{ OperatingSystem: "Debian", KernelVersion: release() },
	);
	const found = await discoverEngine(
		{ kind: "auto", socket: here, environment: {} },
		AbortSignal.timeout(5000),
	);
	t.like(found.info, { kind: "docker", kernel: release(), system: "Debian" });
});
