import { deepStrictEqual } from "node:assert";
import { writeFileSync } from "node:fs";
import type { EngineMachine } from "../../lab/roots/machine.ts";
import { LAB_RUN_DIRECTORY } from "../../lab/sandbox/mounts.ts";
import { until } from "../../lab/until.ts";
import { mustHaveConductor, site, succeed } from "./bare-stack.ts";

const file = `${LAB_RUN_DIRECTORY}/compose.yaml`;
const project = `ironstrap-${site}`;

/** A Compose program, and whether Podman's health checks have to be run for it where no systemd does. */
export interface ComposeProgram {
	readonly words: readonly [string, ...string[]];
	readonly timers: boolean;
}

export const dockerCompose: ComposeProgram = { words: ["docker", "compose"], timers: false };
export const podmanCompose: ComposeProgram = { words: ["podman-compose"], timers: true };

/**
 * Takes a stack that is up off the engine, with its data, and lets a Compose program bring it up from nothing but what
 * `ironstrap compose` prints and the files that it mounts; then lets that program take it away.
 */
export async function mustRunByCompose(machine: EngineMachine, program: ComposeProgram): Promise<void> {
	const { cli, engine, sandbox } = machine;
	const compose = async (...words: readonly string[]) => {
		const [command, ...first] = program.words;
		const all = [...first, "--file", file, ...words];
		return (await sandbox.run(command, all, { timeoutMs: 240_000 })).stdout;
	};
	const { result } = await succeed(sandbox, ["compose"]);
	writeFileSync(sandbox.path(file), String(result?.compose));
	await compose("config");
	await removeAll(machine);
	const timers = program.timers ? runHealthChecks(machine) : undefined;
	try {
		await compose("up", "--detach");
		await until(
			() =>
				mustHaveConductor(sandbox).then(
					() => true,
					() => false,
				),
			{ what: `a conductor on ${engine} by Compose`, deadlineMs: 120_000, everyMs: 500 },
		);
		const names = (await cli("ps", "--format", "{{.Names}}")).split("\n");
		deepStrictEqual(names.map((name) => /[-_]([a-z]+)[-_]1$/.exec(name)?.[1] ?? name).sort(), [
			"dnsmasq",
			"httpd",
			"ironic",
			"mariadb",
		]);
	} finally {
		timers?.kill("SIGKILL");
	}
	await compose("down", "--volumes");
}

async function removeAll({ cli }: EngineMachine): Promise<void> {
	const ofProject = ["--filter", `label=com.docker.compose.project=${project}`, "--quiet"];
	const ids = async (...words: readonly string[]) =>
		(await cli(...words, ...ofProject)).split("\n").filter(Boolean);
	for (const id of await ids("ps", "--all")) await cli("rm", "--force", id);
	for (const id of await ids("network", "ls")) await cli("network", "rm", id);
	for (const id of await ids("volume", "ls")) await cli("volume", "rm", id);
}

/** What systemd's timers do for Podman on a machine that it runs on. */
function runHealthChecks({ sandbox }: EngineMachine) {
	const script =
		"while sleep 1; do for id in $(podman ps --quiet); do podman healthcheck run $id; done; done >/dev/null 2>&1";
	return sandbox.spawn("sh", ["-c", script]);
}
