import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DesiredContainer, DesiredProject } from "../converge/desired.ts";
import { label } from "../converge/labels.ts";
import type { Engine } from "../engine/engine.ts";
import { IronstrapError } from "../lib/errors.ts";
import { sqliteDirectory, sqliteFile } from "../stack/database.ts";
import type { Stack } from "../stack/inputs.ts";
import type { ComposeMount, ComposeService } from "../stack/project.ts";

const graceSeconds = 10;

/**
 * Dumps Ironic's database while it runs, consistently, to a file readable by root alone; returns its path. The dump runs
 * in a container of its own beside the server, as root there may through the socket: an `exec` into the server would
 * leave a process of Podman behind for five minutes.
 */
export async function dumpDatabase(
	engine: Engine,
	stack: Stack,
	desired: DesiredProject,
	directory: string,
	signal: AbortSignal,
): Promise<string> {
	const container = dumpContainer(desired, stack, directory);
	const owner = container.spec.user?.split(":").map(Number) ?? [0, 0];
	await rm(directory, { recursive: true, force: true });
	await mkdir(directory, { recursive: true, mode: 0o700 });
	await chown(directory, owner[0] ?? 0, owner[1] ?? 0);
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
				fix: "look at the stack's logs: `ironstrap logs`",
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

/** A one-off beside the server of the database, or beside Ironic if it keeps its nodes in a file. */
function dumpContainer(desired: DesiredProject, stack: Stack, directory: string): DesiredContainer {
	const find = (service: string) => desired.containers.find((each) => each.service === service);
	const server = find("mariadb");
	const beside = server ?? find("ironic");
	if (beside === undefined) throw new Error("the stack has no database");
	const dump: ComposeMount = { type: "bind", source: directory, target: "/dump" };
	const { healthcheck: _healthcheck, networks: _networks, ...spec } = beside.spec;
	const job = server === undefined ? sqliteDump(beside.spec) : mariadbDump(stack);
	return {
		...beside,
		service: "dump",
		name: `${desired.name}-dump-1`,
		oneShot: true,
		awaits: [],
		files: [],
		labels: { ...beside.labels, [label.service]: "dump", [label.oneOff]: "True" },
		spec: {
			...spec,
			network_mode: "none",
			restart: "no",
			command: job.command,
			volumes: [...job.volumes, dump],
		},
	};
}

type Job = Required<Pick<ComposeService, "command" | "volumes">>;

function mariadbDump({ runDirectory }: Stack): Job {
	return {
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
		volumes: [{ type: "bind", source: `${runDirectory}/sockets/mariadb`, target: "/run/mysqld" }],
	};
}

function sqliteDump({ healthcheck, volumes = [] }: Pick<ComposeService, "healthcheck" | "volumes">): Job {
	// the image's Python, by the name that the health check has for it
	const python = healthcheck?.test[1] ?? "python3";
	// what is read belongs to one transaction, however long it takes
	const script = `import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN")
with open("/dump/database.sql", "x") as dump:
    dump.writelines(line + "\\n" for line in database.iterdump())`;
	return {
		command: [python, "-c", script, sqliteFile],
		volumes: volumes.filter(({ target }) => target === sqliteDirectory),
	};
}
