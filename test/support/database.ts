import { existsSync, readFileSync, rmSync } from "node:fs";
import { LAB_RUN_DIRECTORY } from "../../lab/sandbox/mounts.ts";
import type { Sandbox } from "../../lab/sandbox.ts";
import { until } from "../../lab/until.ts";
import { down, type Edit, site, succeed } from "./bare-stack.ts";

/*
 * The database of the site of bare-stack.ts, looked at and written to past the product.
 */

export const server = `ironstrap-${site}-mariadb-1`;
const volume = `/var/lib/containers/storage/volumes/ironstrap-${site}_mariadb-data/_data`;
const log = `${LAB_RUN_DIRECTORY}/mariadb.log`;

/** The site names this image for its database. */
export function databaseImage(reference: string): Edit {
	const place = "  # spares each boot of iPXE";
	return [place, `  images: { mariadb: "${reference}" }\n${place}`];
}

const client = [
	...["mariadb", "--no-defaults", "--protocol=socket", "--socket=/run/mysqld/mysqld.sock", "--user=mysql"],
	...["--batch", "--skip-column-names"],
];

/** Statements as the server's own administrator; what they print. */
export async function query(sandbox: Sandbox, sql: string): Promise<string> {
	const { stdout } = await sandbox.run("podman", ["exec", "-i", server, ...client], { input: sql });
	return stdout.trim();
}

/** Writes rows without pause, each a transaction of its own, until the server goes. Returns once some are there. */
export async function writeWithoutPause(sandbox: Sandbox): Promise<void> {
	await query(
		sandbox,
		`CREATE DATABASE IF NOT EXISTS load_test;
CREATE TABLE IF NOT EXISTS load_test.written (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(64));`,
	);
	const before = await rowsWritten(sandbox);
	const insert = "INSERT INTO load_test.written (text) VALUES (UUID());";
	sandbox.spawn("podman", [
		...["exec", server, "sh", "-c"],
		`yes '${insert}' | ${client.join(" ")} 2>/dev/null`,
	]);
	await until(async () => (await rowsWritten(sandbox)) > before + 50 || undefined, {
		what: "rows to be written",
		deadlineMs: 30_000,
	});
}

export async function rowsWritten(sandbox: Sandbox): Promise<number> {
	return Number(await query(sandbox, "SELECT COUNT(*) FROM load_test.written;"));
}

/** What the volume says about its last server, e.g. `11.8.9 clean`. */
export function serverRecord(sandbox: Sandbox): string {
	const file = sandbox.path(`${volume}/.ironstrap-server`);
	return existsSync(file) ? readFileSync(file, "utf8").trim() : "none";
}

/**
 * Ends the server while it is written to: by `down`, or as an engine does by itself when the machine shuts down. What the
 * volume says then, and whether the server's last words were those of a clean shutdown.
 */
export async function stopUnderLoad(
	sandbox: Sandbox,
	how: "down" | "engine",
): Promise<{ readonly record: string; readonly complete: boolean }> {
	await writeWithoutPause(sandbox);
	rmSync(sandbox.path(log), { force: true });
	const { stdout: path } = await sandbox.run("podman", [
		"inspect",
		"-f",
		"{{.HostConfig.LogConfig.Path}}",
		server,
	]);
	// keeps the file open, so that what is removed with the container is read to its end
	const following = sandbox.spawn("tail", ["-n", "0", "-f", path.trim()], { log: sandbox.path(log) });
	if (how === "down") await succeed(sandbox, down);
	else await sandbox.run("podman", ["stop", server], { timeoutMs: 90_000 });
	const complete = await until(
		() => /mariadbd: Shutdown complete$/m.test(readFileSync(sandbox.path(log), "utf8")),
		{
			what: "the last words of a clean shutdown",
			deadlineMs: 5000,
			seen: () => readFileSync(sandbox.path(log), "utf8"),
		},
	);
	following.kill();
	await following.result;
	return { record: serverRecord(sandbox), complete };
}

/** After a stop by the engine. */
export async function startAgain(sandbox: Sandbox): Promise<void> {
	await sandbox.run("podman", ["start", server]);
	await until(
		async () =>
			(await sandbox.run("podman", ["exec", server, ...client, "--execute", "SELECT 1"], { reject: false }))
				.exitCode === 0 || undefined,
		{ what: "the database to answer", deadlineMs: 60_000, everyMs: 200 },
	);
}
