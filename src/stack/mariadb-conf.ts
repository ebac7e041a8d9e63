/** `my.cnf`: no network, small memory, durable at each commit. */
export function mariadbConf(): string {
	return `# Written by ironstrap; changes are overwritten.
[mariadbd]
datadir = /var/lib/mysql
socket = /run/mysqld/mysqld.sock
pid-file = /run/mysqld/mariadbd.pid
tmpdir = /tmp
skip-networking
skip-name-resolve
init-file = /etc/ironstrap/mariadb/init.sql
character-set-server = utf8mb4
# Named, because the default differs between versions and tables of two collations do not compare.
collation-server = utf8mb4_general_ci
innodb_fast_shutdown = 1
innodb_buffer_pool_size = 128M
innodb_log_file_size = 48M
innodb_flush_log_at_trx_commit = 1
max_connections = 100
performance_schema = OFF
`;
}

/** Runs at each start of the server, before it answers: makes the account, and sets its password anew. */
export function mariadbInitSql(password: string): string {
	const literal = sqlString(password);
	return `CREATE DATABASE IF NOT EXISTS ironic CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
CREATE USER IF NOT EXISTS 'ironic'@'localhost' IDENTIFIED BY ${literal};
ALTER USER 'ironic'@'localhost' IDENTIFIED BY ${literal};
GRANT ALL PRIVILEGES ON ironic.* TO 'ironic'@'localhost';
`;
}

/** In the data directory: the version of the server that used it last, and whether that ended cleanly. */
export const serverRecordFile = ".ironstrap-server";

/**
 * Initialises the data directory once, runs the server, and records how it ended. A mark lies in the directory for as
 * long as the initialisation takes, so that one that was killed is emptied and done again, and one with data, wherever it
 * came from, never is. A server of an older series is not let near the data: MariaDB itself would start on it.
 */
export function mariadbStart(): string {
	return `#!/bin/sh
set -eu
data=/var/lib/mysql
mark=$data/.ironstrap-initialising
record=$data/${serverRecordFile}
if ! [ -w "$data" ]; then
	echo "ironstrap: $data does not belong to this image's uid $(id -u): its volume was made for another image" >&2
	exit 78
fi
version=$(mariadbd --no-defaults --version | sed -n 's/.*Ver \\([0-9][0-9.]*\\).*/\\1/p')
if [ -e "$record" ]; then
	read -r last state <"$record"
	newest=$(printf '%s\\n' "\${last%.*}" "\${version%.*}" | sort -V | tail -n 1)
	if [ "$newest" != "\${version%.*}" ]; then
		echo "ironstrap: this volume was used by MariaDB $last: $version must not start on it" >&2
		exit 78
	fi
	echo "ironstrap: MariaDB $last used this volume last, its end was \${state}" >&2
fi
if [ -e "$mark" ]; then
	echo "ironstrap: the last initialisation was interrupted: starting it again" >&2
	find "$data" -mindepth 1 ! -path "$mark" -delete
fi
if [ -e "$mark" ] || ! [ -d "$data/mysql" ]; then
	: >"$mark"
	sync --file-system "$data"
	mariadb-install-db --no-defaults --datadir="$data" --skip-test-db --skip-name-resolve \\
		--auth-root-authentication-method=socket --auth-root-socket-user=mysql >&2
	sync --file-system "$data"
	rm "$mark"
	sync --file-system "$data"
fi
note() {
	echo "$version $1" >"$record.new"
	sync "$record.new"
	mv "$record.new" "$record"
	sync "$data"
}
note unclean
server=
stopped=
trap 'stopped=yes; [ -z "$server" ] || kill -TERM "$server"' TERM INT
mariadbd --defaults-file=/etc/ironstrap/mariadb/my.cnf &
server=$!
[ -z "$stopped" ] || kill -TERM "$server"
status=0
wait "$server" || status=$?
# A signal ends the waiting, not the server.
while kill -0 "$server" 2>/dev/null; do
	status=0
	wait "$server" || status=$?
done
[ "$status" -ne 0 ] || note clean
exit "$status"
`;
}

function sqlString(text: string): string {
	const escaped = [...text].map((character) => sqlEscapes[character] ?? character).join("");
	return `'${escaped}'`;
}

/** https://mariadb.com/kb/en/string-literals/; statements of an init file end with a line, so breaks must not stay. */
const sqlEscapes: Readonly<Record<string, string>> = {
	"'": "''",
	"\\": "\\\\",
	"\n": "\\n",
	"\r": "\\r",
	"\0": "\\0",
	"\u001a": "\\Z",
};
