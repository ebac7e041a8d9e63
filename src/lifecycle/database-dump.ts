import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DesiredContainer, DesiredProject } from "../converge/desired.ts";
import { label } from "../converge/labels.ts";
import type { Engine } from "../engine/engine.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Stack } from "../stack/inputs.ts";

const graceSeconds = 10;

/**
 * Dumps Ironic's database while it runs, consistently (`--single-transaction`), to a file readable by root alone;
 * returns its path. The dump runs in a container of its own beside the server, as root there may through the socket:
 * an `exec` into the server would leave a process of Podman behind for five minutes.
 */
export async function dumpDatabase(
	engine: Engine,
	stack: Stack,
	desired: DesiredProject,
	directory: string,
	signal: AbortSignal,
): Promise<string> {
	const server = desired.containers.find(({ service }) => service === "mariadb");
	if (server === undefined) throw new Error("the stack has no database");
	const owner = server.spec.user?.split(":").map(Number) ?? [0, 0];
	await rm(directory, { recursive: true, force: true });
	await mkdir(directory, { recursive: true, mode: 0o700 });
	await chown(directory, owner[0] ?? 0, owner[1] ?? 0);
	const container = dumpContainer(server, stack, directory);
	await engine.removeContainer(container.name, graceSeconds, signal);
	try {
		await engine.createContainer(container, signal);
		await engine.startContainer(container.name, signal);
		const exitCode = await engine.waitForExit(container.name, signal);
		if (exitCode !== 0)
			throw new IronstrapError({
				code: "database-dump-failed",
				message: "Ironic's database could not be dumped",
				seen: await engine.logTail(container.name, 20, signal),
				fix: "look at the database's log: `ironstrap logs mariadb`",
			});
	} finally {
		// also after an interruption: the container holds nothing that is needed again
		await engine.removeContainer(container.name, graceSeconds, AbortSignal.timeout(30_000));
	}
	const file = join(directory, "database.sql");
	await chown(file, 0, 0);
	await chmod(file, 0o600);
	return file;
}

function dumpContainer(server: DesiredContainer, stack: Stack, directory: string): DesiredContainer {
	const sockets = `${stack.runDirectory}/sockets/mariadb`;
	const { healthcheck: _healthcheck, ...spec } = server.spec;
	const name = server.name.replace(/mariadb-1$/, "dump-1");
	return {
		...server,
		service: "dump",
		name,
		oneShot: true,
		awaits: [],
		labels: { ...server.labels, [label.service]: "dump", [label.oneOff]: "True" },
		spec: {
			...spec,
			restart: "no",
			command: [
				"mariadb-dump",
				"--no-defaults",
				"--protocol=socket",
				"--socket=/run/mysqld/mysqld.sock",
				"--user=mysql",
				"--single-transaction",
				"--quick",
				"--routines",
				"--triggers",
				"--events",
				"--result-file=/dump/database.sql",
				"--databases",
				"ironic",
			],
			volumes: [
				{ type: "bind", source: sockets, target: "/run/mysqld" },
				{ type: "bind", source: directory, target: "/dump" },
			],
		},
	};
}
