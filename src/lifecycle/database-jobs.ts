import { sqliteDirectory, sqliteFile } from "../stack/database.ts";
import type { ComposeMount, ComposeService } from "../stack/project.ts";

type Job = Required<Pick<ComposeService, "command" | "volumes">>;

const connection = [
	"--no-defaults",
	"--protocol=socket",
	"--socket=/run/mysqld/mysqld.sock",
	// the server's own user is its administrator, through the socket
	"--user=mysql",
];

function mariadbSocket(runDirectory: string): ComposeMount {
	return { type: "bind", source: `${runDirectory}/sockets/mariadb`, target: "/run/mysqld" };
}

/** Writes `/exchange/database.sql`, in one snapshot. */
export function mariadbDump(runDirectory: string): Job {
	return {
		command: [
			"mariadb-dump",
			...connection,
			"--single-transaction",
			"--quick",
			"--routines",
			"--triggers",
			"--events",
			"--result-file=/exchange/database.sql",
			"--databases",
			"ironic",
		],
		volumes: [mariadbSocket(runDirectory)],
	};
}

/** Puts `/exchange/database.sql` in the place of Ironic's database, and the rows of each table in `/exchange/rows`. */
export function mariadbLoad(runDirectory: string): Job {
	const script = `set -eu
client="mariadb $*"
$client --execute "DROP DATABASE IF EXISTS ironic"
$client --max-allowed-packet=1G </exchange/database.sql
$client --batch --skip-column-names --execute "SELECT CONCAT('SELECT ''', table_name, ''', COUNT(*) FROM ironic.', table_name, ';')
	FROM information_schema.tables WHERE table_schema = 'ironic' AND table_type = 'BASE TABLE'" |
	$client --batch --skip-column-names >/exchange/rows`;
	return { command: ["/bin/sh", "-c", script, "sh", ...connection], volumes: [mariadbSocket(runDirectory)] };
}

type SqliteUser = Pick<ComposeService, "healthcheck" | "volumes">;

/** Writes `/exchange/database.sql`: what is read belongs to one transaction, however long it takes. */
export function sqliteDump(ironic: SqliteUser): Job {
	return sqliteJob(
		ironic,
		`import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN")
with open("/exchange/database.sql", "x") as dump:
    dump.writelines(line + "\\n" for line in database.iterdump())
${rowsText}`,
	);
}

/** Like `mariadbLoad`. The database appears by a rename. */
export function sqliteLoad(ironic: SqliteUser): Job {
	return sqliteJob(
		ironic,
		`import os, sqlite3, sys
file = sys.argv[1]
new = file + ".new"
for old in (new, file + "-wal", file + "-shm", file):
    if os.path.exists(old):
        os.remove(old)
database = sqlite3.connect(new)
with open("/exchange/database.sql") as dump:
    database.executescript(dump.read())
${rowsText}
database.close()
os.rename(new, file)`,
	);
}

const rowsText = `with open("/exchange/rows", "w") as rows:
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall():
        rows.write("%s\\t%d\\n" % (table, database.execute('SELECT COUNT(*) FROM "%s"' % table).fetchone()[0]))`;

function sqliteJob({ healthcheck, volumes = [] }: SqliteUser, script: string): Job {
	// the image's Python, by the name that the health check has for it
	const python = healthcheck?.test[1] ?? "python3";
	return {
		command: [python, "-c", script, sqliteFile],
		volumes: volumes.filter(({ target }) => target === sqliteDirectory),
	};
}
