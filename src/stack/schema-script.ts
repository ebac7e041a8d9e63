import type { Site } from "../resources/site.ts";
import { sqliteFile, usesSqlite } from "./database.ts";

/**
 * Makes the tables, or brings them to this image's version: `ironic-dbsync`, as its program runs it. Safe to be killed
 * and run again at any point. Loading its modules takes more than a second, so they are loaded once, while the database
 * server starts, and each command runs in a copy of this process.
 */
export function schemaScript(site: Site): string {
	return `import configparser, os, sys, time

# Ironic replaces some of these by ones that start its event loop, which must not be shared with the copies.
fdopen, fork, sleep, waitpid = os.fdopen, os.fork, time.sleep, os.waitpid

import sqlalchemy
from ironic.cmd import dbsync

configuration = "/etc/ironstrap/schema/ironic.conf"


def in_a_copy(work):
    """What the work prints, and the exit code of the copy in which it was done."""
    reading, writing = os.pipe()
    child = fork()
    if child == 0:
        os.dup2(writing, 1)
        sys.exit(work())
    os.close(writing)
    with fdopen(reading) as output:
        printed = output.read()
    return printed, os.waitstatus_to_exitcode(waitpid(child, 0)[1])


def dbsync_command(name):
    def run():
        sys.argv = ["ironic-dbsync", "--config-file", configuration, name]
        return dbsync.main()

    printed, code = in_a_copy(run)
    if code != 0:
        sys.exit("ironstrap: ironic-dbsync %s ended with exit code %d: %s" % (name, code, printed))
    return printed.strip()


${usesSqlite(site) ? "" : waitForServer}version = dbsync_command("version")
# nothing may wait in a buffer that a copy would inherit
print("ironstrap: schema version " + (version or "None"), flush=True)
if version in ("", "None"):
    # There is nothing to migrate yet.
    dbsync_command("create_schema")
else:
    dbsync_command("upgrade")
    print(dbsync_command("online_data_migrations"))
${usesSqlite(site) ? writeAheadLog : ""}`;
}

/** Errors of the client (2000 and up) pass; what the server says does not. */
const waitForServer = `def connect():
    settings = configparser.RawConfigParser()
    settings.read(configuration)
    database = sqlalchemy.create_engine(settings.get("database", "connection"))
    end = time.monotonic() + 600
    while True:
        try:
            database.connect().close()
            return 0
        except sqlalchemy.exc.OperationalError as error:
            if error.orig.args[0] < 2000 or time.monotonic() > end:
                return "ironstrap: the database server: %s" % error.orig
            sleep(0.05)


if in_a_copy(connect)[1] != 0:
    sys.exit(1)
`;

/** Readers and the one writer do not wait for each other then; SQLite keeps the mode in the file. */
const writeAheadLog = `
import sqlite3

mode = sqlite3.connect("${sqliteFile}").execute("PRAGMA journal_mode=WAL").fetchone()[0]
if mode != "wal":
    sys.exit("ironstrap: the journal of the database stays in mode " + mode)
`;
