import type { Site } from "../resources/site.ts";
import type { StackInputs } from "./inputs.ts";
import type { ComposeMount, ComposeService } from "./project.ts";

/** Where the containers that use SQLite mount its volume. */
export const sqliteDirectory = "/var/lib/ironstrap-database";
export const sqliteFile = `${sqliteDirectory}/ironic.sqlite`;

const sqliteMount: ComposeMount = { type: "volume", source: "sqlite-data", target: sqliteDirectory };

export function usesSqlite(site: Site): boolean {
	return site.bootstrap.spec.database === "sqlite";
}

/** The image of the database server; a site with SQLite has none. */
export function databaseImage({ images }: StackInputs): NonNullable<StackInputs["images"]["mariadb"]> {
	if (images.mariadb === undefined) throw new TypeError("a stack with MariaDB needs its image");
	return images.mariadb;
}

/** SQLAlchemy's URL of the database. */
export function databaseUrl(site: Site, { credentials }: StackInputs): string {
	// A writer that waits for another one gives up after so many seconds.
	if (usesSqlite(site)) return `sqlite:///${sqliteFile}?timeout=60`;
	const password = encodeURIComponent(credentials.databasePassword);
	return `mysql+pymysql://ironic:${password}@localhost/ironic?unix_socket=/run/mysqld/mysqld.sock&charset=utf8mb4`;
}

/** A service of the base text, which has MariaDB, as it is with SQLite: a volume in place of the server and its socket. */
export function withSqlite(service: ComposeService): ComposeService {
	const { mariadb: _server, ...dependencies } = service.depends_on ?? {};
	const mounts = (service.volumes ?? []).filter(({ target }) => target !== "/run/mysqld");
	return { ...service, volumes: [...mounts, sqliteMount], depends_on: dependencies };
}
