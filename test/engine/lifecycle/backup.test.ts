import { readFileSync, writeFileSync } from "node:fs";
import anyTest, { type TestFn } from "ava";
import { LAB_RUN_DIRECTORY } from "../../../lab/sandbox/mounts.ts";
import type { Sandbox } from "../../../lab/sandbox.ts";
import { faultsIn, ironstrap, launcher, type Outcome } from "../../../lab/story/product.ts";
import { lookAtWorld, secretsOf } from "../../../lab/story/world.ts";
import { type Machine, startMachine } from "../../exhaustive/crash/machine.ts";
import {
	askIronic,
	type Edit,
	mustHaveConductor,
	purge,
	requestIronic,
	site,
	succeed,
} from "../../support/bare-stack.ts";
import { query } from "../../support/database.ts";

/*
 * A site with nodes and ports goes to another, empty machine. Nobody manages the nodes: no BMC is asked for anything.
 */

interface Context {
	machines: Machine[];
}

const test = anyTest as TestFn<Context>;

const passphraseFile = `${LAB_RUN_DIRECTORY}/passphrase`;
const passphrase = "the passphrase of this test";
const backupFile = "/var/lib/ironstrap/test.tar.gz.age";
const sqlite: Edit = ["  # spares each boot of iPXE", "  database: sqlite\n  # spares each boot of iPXE"];
const nodes = 20;

test.beforeEach((t) => {
	t.context.machines = [];
});

test.afterEach.always(async (t) => {
	for (const machine of t.context.machines) await machine.stop();
});

test.serial("MariaDB: a backup under write load comes back on an empty machine, whole", async (t) => {
	t.timeout(600_000);
	const source = await machineOf(t.context, []);
	await fill(source.sandbox);
	const stopWriting = keepWriting(source.sandbox);
	const made = await ironstrap(source.sandbox, [
		"backup",
		"--to",
		backupFile,
		"--passphrase-file",
		passphraseFile,
	]);
	await stopWriting();
	t.is(made.exitCode, 0, faultsIn(made));
	const again = await ironstrap(source.sandbox, ["backup", "--to", backupFile]);
	t.is(again.exitCode, 2);
	t.is(codeOf(again.result), "backup-exists");
	const listed = await inventoryOf(source.sandbox);
	const secrets = secretsOf(source.sandbox, site);
	const rows = (made.result?.rows ?? {}) as Record<string, number>;
	t.is(rows.nodes, nodes);
	t.is(rows.ports, nodes);
	t.true((rows.node_traits ?? 0) >= nodes);

	const target = await machineOf(t.context, [], false);
	writeFileSync(target.sandbox.path(backupFile), readFileSync(source.sandbox.path(backupFile)));
	await source.stop();
	const verify = ["backup", "verify", backupFile, "--passphrase-file", passphraseFile];
	await succeed(target.sandbox, verify);
	const restore = ["restore", backupFile, "--passphrase-file", passphraseFile];
	const locked = await ironstrap(target.sandbox, ["restore", backupFile]);
	t.is(codeOf(locked.result), "backup-locked");
	t.deepEqual(
		(await lookAtWorld(target.sandbox, site)).files.filter((line) => line.includes(`/${site}/`)),
		[],
	);
	await killSomewhere(target.sandbox, restore);
	const restored = await succeed(target.sandbox, restore);
	const here = (restored.result?.here ?? []) as readonly { readonly code: string }[];
	// of this site the ramdisk is two words, on either machine
	t.deepEqual([...new Set(here.map(({ code }) => code))], ["deploy-ramdisk-odd"]);
	const twice = await ironstrap(target.sandbox, restore);
	t.is(codeOf(twice.result), "restore-site-exists");
	t.is(twice.exitCode, 2);
	await succeed(target.sandbox, ["up", "--no-hosts"]);
	await mustHaveConductor(target.sandbox);
	t.deepEqual(await inventoryOf(target.sandbox), listed);
	t.deepEqual(secretsOf(target.sandbox, site), secrets);
	t.is(Number(await query(target.sandbox, "SELECT COUNT(*) FROM ironic.nodes")), nodes);
	const kept = await succeed(target.sandbox, ["up", "--no-hosts"]);
	t.true(JSON.stringify(kept.result?.changes).match(/"change":"(?!keep)/) === null, "nothing is left to do");
});

test.serial("SQLite: the same format, there and back on one machine", async (t) => {
	t.timeout(600_000);
	const { sandbox } = await machineOf(t.context, [sqlite]);
	await fill(sandbox);
	const made = await succeed(sandbox, ["backup", "--to", backupFile]);
	t.like(made.result, { database: "sqlite", rows: { nodes, ports: nodes } });
	const listed = await inventoryOf(sandbox);
	const taken = await ironstrap(sandbox, ["restore", backupFile]);
	t.is(codeOf(taken.result), "restore-site-exists");
	await succeed(sandbox, purge);
	await succeed(sandbox, ["restore", backupFile]);
	await succeed(sandbox, ["up", "--no-hosts"]);
	t.deepEqual(await inventoryOf(sandbox), listed);
});

async function machineOf(context: Context, edits: readonly Edit[], isUp = true): Promise<Machine> {
	const machine = await startMachine({ host: false, edits });
	context.machines.push(machine);
	writeFileSync(machine.sandbox.path(passphraseFile), `${passphrase}\n`, { mode: 0o600 });
	if (isUp) await succeed(machine.sandbox, machine.up);
	return machine;
}

/** Nodes that nothing manages, each with a port and a trait. */
async function fill(sandbox: Sandbox): Promise<void> {
	for (let at = 0; at < nodes; at += 1) {
		const node = await requestIronic(sandbox, "POST", "/v1/nodes", {
			driver: "redfish",
			name: `metal3~cp-${at}`,
			driver_info: {
				redfish_address: "http://192.168.222.1:9",
				redfish_username: "u",
				redfish_password: "p",
			},
			extra: { number: at },
		});
		const { uuid } = JSON.parse(node) as { uuid: string };
		const address = `52:54:00:00:01:${at.toString(16).padStart(2, "0")}`;
		await requestIronic(sandbox, "POST", "/v1/ports", { address, node_uuid: uuid });
		await requestIronic(sandbox, "PUT", `/v1/nodes/${uuid}/traits`, { traits: ["CUSTOM_RACK"] });
	}
}

/** Writes through Ironic until it is told to stop, to what no comparison looks at. */
function keepWriting(sandbox: Sandbox): () => Promise<void> {
	let going = true;
	const written = (async () => {
		for (let at = 0; going; at += 1) {
			const names = JSON.parse(await askIronic(sandbox, "/v1/nodes?limit=1")) as {
				nodes: { uuid: string }[];
			};
			await requestIronic(sandbox, "PUT", `/v1/nodes/${names.nodes[0]?.uuid}/maintenance`, {
				reason: `${at}`,
			});
		}
	})();
	return async () => {
		going = false;
		await written;
	};
}

/** What must be equal: nodes and ports with everything but times and what the writer changes. */
async function inventoryOf(sandbox: Sandbox): Promise<unknown> {
	const list = async (kind: "nodes" | "ports") => {
		const fields = {
			nodes: "uuid,name,driver,driver_info,extra,provision_state,traits",
			ports: "uuid,address,node_uuid",
		};
		const text = await askIronic(sandbox, `/v1/${kind}?fields=${fields[kind]}&limit=1000`);
		const found = (JSON.parse(text) as Record<string, Record<string, unknown>[]>)[kind] ?? [];
		return found.map(({ links: _links, ...rest }) => JSON.stringify(rest)).sort();
	};
	return { nodes: await list("nodes"), ports: await list("ports") };
}

/** kill -9 while it works, wherever it is then. */
async function killSomewhere(sandbox: Sandbox, args: readonly string[]): Promise<void> {
	const child = sandbox.spawn(process.execPath, [launcher, ...args, "--json"]);
	for await (const chunk of child.stdout ?? []) if (String(chunk).includes('"restore:database"')) break;
	child.kill("SIGKILL");
	await child.result;
}

function codeOf(result: Outcome["result"]): string | undefined {
	return (result?.errors as readonly { readonly code: string }[] | undefined)?.[0]?.code;
}
