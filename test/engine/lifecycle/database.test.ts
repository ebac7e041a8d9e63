import anyTest, { type TestFn } from "ava";
import { formerImage } from "../../../lab/image-store.ts";
import { ironstrap } from "../../../lab/story/product.ts";
import { lookAtWorld } from "../../../lab/story/world.ts";
import { type Machine, startMachine } from "../../exhaustive/crash/machine.ts";
import { mustHaveConductor, site, succeed, writeSite } from "../../support/bare-stack.ts";
import {
	databaseImage,
	rowsWritten,
	serverRecord,
	startAgain,
	stopUnderLoad,
} from "../../support/database.ts";

/*
 * MariaDB 10.11 of Debian 12 and 11.8 of Debian 13, as the stack's own database.
 */

interface Context {
	readonly machine: Machine;
	/** The reference of MariaDB 10.11. */
	readonly former: string;
}

const test = anyTest as TestFn<Context>;

test.before(async (t) => {
	t.timeout(600_000);
	const { reference, store } = await formerImage("mariadb", "bookworm");
	const machine = await startMachine({ stores: [store], edits: [databaseImage(reference)] });
	Object.assign(t.context, { machine, former: reference });
	await succeed(machine.sandbox, machine.up);
});

test.after.always(async (t) => t.context.machine?.stop());

test.serial("a server that runs is not at its clean end, and its version lies beside its data", (t) => {
	t.regex(serverRecord(t.context.machine.sandbox), /^10\.11\.\d+ unclean$/);
});

test.serial("every stop under load is a clean shutdown: by down, and by the engine alone", async (t) => {
	t.timeout(300_000);
	const { sandbox, up } = t.context.machine;
	for (const how of ["engine", "engine", "engine", "down"] as const) {
		const { complete, record } = await stopUnderLoad(sandbox, how);
		t.true(complete, how);
		t.regex(record, /^10\.11\.\d+ clean$/);
		if (how === "engine") await startAgain(sandbox);
		else await succeed(sandbox, up);
	}
	t.true((await rowsWritten(sandbox)) > 200);
});

test.serial("a downgrade of MariaDB is refused with nothing changed, and the way back is said", async (t) => {
	t.timeout(300_000);
	const { former, machine } = t.context;
	const { sandbox, up } = machine;
	writeSite(sandbox);
	await succeed(sandbox, up);
	t.regex(serverRecord(sandbox), /^11\.8\.\d+ unclean$/);
	const before = await lookAtWorld(sandbox, site);
	writeSite(sandbox, { edits: [databaseImage(former)] });
	const { exitCode, result } = await ironstrap(sandbox, up);
	t.is(exitCode, 2);
	const [fault] = (result?.errors ?? []) as readonly Record<string, string>[];
	t.is(fault?.code, "database-downgrade");
	t.regex(fault?.message ?? "", /used by MariaDB 11\.8\.\d+: MariaDB 10\.11\.\d+ cannot go on with it/);
	t.regex(fault?.fix ?? "", /name an image with MariaDB 11\.8\.\d+ or later/);
	t.deepEqual(await lookAtWorld(sandbox, site), before);
	await mustHaveConductor(sandbox);
});

test.serial("the older server itself does not start on the newer volume, whoever starts it", async (t) => {
	const { former, machine } = t.context;
	const { sandbox } = machine;
	const { exitCode, stderr } = await sandbox.run(
		"podman",
		[
			...["run", "--rm", "--network", "none", "--user", "901:901"],
			...["-v", `ironstrap-${site}_mariadb-data:/var/lib/mysql`],
			...["-v", `/run/ironstrap/${site}/mariadb:/etc/ironstrap/mariadb:ro`],
			...[former, "/bin/sh", "/etc/ironstrap/mariadb/start.sh"],
		],
		{ reject: false },
	);
	t.is(exitCode, 78);
	t.regex(stderr, /this volume was used by MariaDB 11\.8\.\d+: 10\.11\.\d+ must not start on it/);
});
