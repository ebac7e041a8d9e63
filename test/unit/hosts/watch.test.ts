import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { observe } from "../../../src/hosts/observe.ts";
import { watchOf } from "../../../src/hosts/watch.ts";
import { host, memoryStore, run, site } from "./_fixtures.ts";
import { type ModelIronic, modelIronic, modelNode } from "./_model-ironic.ts";

const signal = new AbortController().signal;

/** Counts the lists of nodes; each takes a moment. */
function counting(ironic: ModelIronic): { lists: number } {
	const count = { lists: 0 };
	const { listNodes } = ironic;
	ironic.listNodes = async (options) => {
		count.lists += 1;
		await sleep(20);
		return listNodes(options);
	};
	return count;
}

test("a thousand who look at the same moment share one list", async (t) => {
	const ironic = modelIronic([modelNode()]);
	const count = counting(ironic);
	const watch = watchOf(ironic, 50);
	const since = performance.now();
	const seen = await Promise.all(Array.from({ length: 1000 }, () => watch.nodes(since, signal)));
	t.is(count.lists, 1);
	t.is(new Set(seen).size, 1);
});

test("whoever asks while a list is on its way gets a later one, no sooner than the interval", async (t) => {
	const ironic = modelIronic([modelNode()]);
	const count = counting(ironic);
	const watch = watchOf(ironic, 100);
	const first = watch.nodes(performance.now(), signal);
	await sleep(5);
	const began = performance.now();
	// happened after the first list began: it must not be missed
	Object.assign(ironic.nodes[0] ?? {}, { provision_state: "manageable" });
	const later = watch.nodes(performance.now(), signal);
	await first;
	const node = [...(await later).byUuid.values()][0];
	t.is(node?.provision_state, "manageable");
	t.is(count.lists, 2);
	t.true(performance.now() - began >= 100);
});

test("one list that had to wait for others does not make the next one come late", async (t) => {
	const ironic = modelIronic([modelNode()]);
	const { listNodes } = ironic;
	const takes = [5, 1_000, 5];
	ironic.listNodes = async (options) => {
		await sleep(takes.shift() ?? 5);
		return listNodes(options);
	};
	const watch = watchOf(ironic, 20);
	await watch.nodes(performance.now(), signal);
	await watch.nodes(performance.now(), signal);
	const began = performance.now();
	await watch.nodes(began, signal);
	// five seconds, were it counted
	t.true(performance.now() - began < 2_500);
});

test("a list that fails is told to those who wait for it, and the next one is tried again", async (t) => {
	const ironic = modelIronic([modelNode()]);
	const { listNodes } = ironic;
	ironic.listNodes = () => Promise.reject(new Error("no answer"));
	const watch = watchOf(ironic, 0);
	await t.throwsAsync(watch.nodes(performance.now(), signal), { message: "no answer" });
	ironic.listNodes = listNodes;
	t.is((await watch.nodes(performance.now(), signal)).byUuid.size, 1);
});

test("a run asks for nothing that it knows: four changes and a few lists for a new host, however often it looks", async (t) => {
	const ironic = modelIronic();
	const count = counting(ironic);
	const calls: string[] = [];
	for (const name of ["getNode", "findNode", "inventory"] as const) {
		const original = ironic[name] as (...words: unknown[]) => Promise<unknown>;
		Object.assign(ironic, {
			[name]: (...words: unknown[]) => {
				calls.push(name);
				return original(...words);
			},
		});
	}
	const spare = host({
		image: undefined,
		online: false,
		inspectionMode: "disabled",
		automatedCleaningMode: "disabled",
	});
	await run(spare, { site: site([spare]), ironic, store: memoryStore() }, ironic);
	t.deepEqual(ironic.changes, ["create-node", "create-port", "manage", "provide", "power off"]);
	t.deepEqual(calls, []);
	t.true(count.lists <= 9, `${count.lists} lists`);
});

test("a nameless node with the boot MAC address is the host's; a named one is somebody else's", async (t) => {
	const ports = [{ uuid: "p", address: "52:54:00:AB:00:01", node_uuid: modelNode().uuid, pxe_enabled: true }];
	const look = async (name: string | null) => {
		const ironic = modelIronic([modelNode({ name })], ports);
		const looks = { node: undefined, stored: undefined, portSeen: false, since: performance.now() };
		return observe({ site: site([host()]), ironic, store: memoryStore() }, host(), looks, signal);
	};
	t.like(await look(null), { port: "own", node: { name: null } });
	t.like(await look("metal3~other"), { port: "foreign", node: undefined });
});
