import test from "ava";
import { candidates, chooseHosts } from "../../../src/hosts/choose.ts";
import { remarks } from "../../../src/hosts/remarks.ts";
import { disagreement, type HostVerb, verbSteps } from "../../../src/hosts/verbs.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { BareMetalHost } from "../../../src/resources/bare-metal-host.ts";
import { host, IMAGE, memoryStore, NOW, run, site } from "./_fixtures.ts";
import { modelIronic, UUID } from "./_model-ironic.ts";

const OTHER = { ...IMAGE, url: "http://172.22.0.1:6180/images/other.qcow2" };

/** A host that was brought up, whose manifest is then `next`. */
async function lived(first: BareMetalHost, next = first) {
	const ironic = modelIronic();
	const store = memoryStore();
	const contextOf = (declared: readonly BareMetalHost[]) => ({
		site: site(declared),
		ironic,
		store,
		now: NOW,
	});
	await run(first, contextOf([first]), ironic);
	ironic.changes.length = 0;
	return {
		ironic,
		store,
		async act(verb: HostVerb, declared: readonly BareMetalHost[] = [next]) {
			const [candidate] = candidates(site(declared), await store.list());
			if (candidate === undefined) throw new Error("no host");
			await run(next, contextOf(declared), ironic, [...verbSteps(candidate, verb)]);
			return ironic.changes.filter((change) => !change.startsWith("patch"));
		},
		up: () => run(next, contextOf([next]), ironic),
	};
}

test("power off and on: the power and nothing else, even if the manifest asks for another image", async (t) => {
	const { act, ironic, store } = await lived(host(), host({ image: OTHER }));
	t.deepEqual(await act({ kind: "power", on: false }), ["soft power off"]);
	t.is(store.hosts.get("metal3/cp-0")?.status.poweredOn, false);
	t.deepEqual(await act({ kind: "power", on: false }), ["soft power off"]);
	t.deepEqual(await act({ kind: "power", on: true }), ["soft power off", "power on"]);
	t.is(ironic.nodes[0]?.provision_state, "active");
});

test("reboot: off and on once, hard on request, and nothing else", async (t) => {
	const { act, ironic } = await lived(host(), host({ image: OTHER }));
	t.deepEqual(await act({ kind: "reboot", mode: "soft" }), ["soft power off", "power on"]);
	ironic.changes.length = 0;
	t.deepEqual(await act({ kind: "reboot", mode: "hard" }), ["power off", "power on"]);
});

test("a reboot that is killed in the middle ends with the server on, at the next `up`", async (t) => {
	const { act, ironic, up } = await lived(host());
	ironic.killAfter = 2;
	await t.throwsAsync(act({ kind: "reboot", mode: "soft" }), { message: "killed" });
	ironic.killAfter = Number.POSITIVE_INFINITY;
	t.is(ironic.nodes[0]?.power_state, "power off");
	await up();
	const power = ironic.changes.filter((change) => change.includes("power o"));
	t.deepEqual(power, ["soft power off", "power on"]);
});

test("deprovision wipes a server whose manifest still has its image; the next `up` deploys it again", async (t) => {
	const { act, store, up } = await lived(host());
	t.deepEqual(await act({ kind: "deprovision" }), ["deleted"]);
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "available");
	await up();
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "provisioned");
});

test("deprovision gives up a server that runs what ironstrap does not know", async (t) => {
	const { act, ironic, store, up } = await lived(host());
	store.hosts.clear();
	Object.assign(ironic.nodes[0] ?? {}, { instance_info: { image_source: "http://somebody/else" } });
	t.is((await t.throwsAsync(up(), { instanceOf: IronstrapError })).code, "host-already-deployed");
	t.deepEqual(await act({ kind: "deprovision" }), ["deleted"]);
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "available");
});

test("deprovision forgets a deployment that Ironic has undone", async (t) => {
	const { act, ironic, store, up } = await lived(host());
	Object.assign(ironic.nodes[0] ?? {}, { provision_state: "available", instance_info: {} });
	t.is((await t.throwsAsync(up(), { instanceOf: IronstrapError })).code, "host-undeployed");
	t.deepEqual(await act({ kind: "deprovision" }), []);
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "available");
});

test("inspect: again, and not on to a deployment", async (t) => {
	const spare = host({ image: undefined });
	const { act, ironic, store } = await lived(spare, host());
	Object.assign(ironic.nodes[0] ?? {}, { inspection_finished_at: "2026-08-01T09:00:00+00:00" });
	t.deepEqual(await act({ kind: "inspect" }), ["manage", "inspect", "provide"]);
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "available");
});

test("remove takes only what is not declared any more, and spares a protected server's power", async (t) => {
	const { act, ironic, store } = await lived(host({ externallyProvisioned: true, disablePowerOff: true }));
	const error = await t.throwsAsync(act({ kind: "remove" }), { instanceOf: IronstrapError });
	t.is(error.code, "host-declared");
	t.deepEqual(await act({ kind: "remove" }, []), ["maintenance", "delete-node"]);
	t.is(store.hosts.size, 0);
	t.deepEqual(ironic.nodes, []);
});

for (const [title, spec, annotations, verb, words] of [
	["inspect a deployed server", {}, {}, { kind: "inspect" }, /only while it is available/],
	[
		"reboot an empty server",
		{ image: undefined },
		{},
		{ kind: "reboot", mode: "soft" },
		/no operating system/,
	],
	["provision without an image", { image: undefined }, {}, { kind: "provision" }, /not to be provisioned/],
	[
		"switch off what is never to be off",
		{ disablePowerOff: true },
		{},
		{ kind: "power", on: false },
		/never to be switched off/,
	],
	["a paused host", {}, { "baremetalhost.metal3.io/paused": "" }, { kind: "power", on: false }, /is paused/],
] as const)
	test(`refused before anything is touched: ${title}`, async (t) => {
		const { act, ironic } = await lived(host(spec), host(spec, { annotations }));
		const error = await t.throwsAsync(act(verb), { instanceOf: IronstrapError });
		t.is(error.code, "host-verb-refused");
		t.regex(error.message, words);
		t.deepEqual(ironic.changes, []);
	});

test("a host that is on its way keeps its power", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	ironic.stuck.add("inspect wait");
	await run(host(), { site: site([host()]), ironic, store, now: NOW }, ironic).catch(() => undefined);
	const [candidate] = candidates(site([host()]), await store.list());
	const refused = () => candidate && verbSteps(candidate, { kind: "power", on: false });
	t.regex(t.throws(refused, { instanceOf: IronstrapError }).message, /on its way/);
});

test("a verb that the manifest contradicts says so", (t) => {
	const [candidate] = candidates(site([host()]), []);
	if (candidate === undefined) throw new Error("no host");
	t.regex(
		disagreement(candidate, { kind: "power", on: false }) ?? "",
		/online: true: .* switches it on again/,
	);
	t.is(disagreement(candidate, { kind: "power", on: true }), undefined);
	t.regex(disagreement(candidate, { kind: "deprovision" }) ?? "", /deploys it again/);
});

test("hosts are named with or without their namespace; an unknown or ambiguous name is told", (t) => {
	const all = candidates(
		site([host(), host({}, { name: "w-0" }), host({}, { name: "cp-0", namespace: "other" })]),
		[],
	);
	const names = (words: readonly string[]) =>
		chooseHosts(all, words).map(({ name, namespace }) => `${namespace}/${name}`);
	t.deepEqual(names([]), ["metal3/cp-0", "metal3/w-0", "other/cp-0"]);
	t.deepEqual(names(["w-0", "other/cp-0", "w-0"]), ["metal3/w-0", "other/cp-0"]);
	t.is(t.throws(() => names(["cp-0"]), { instanceOf: IronstrapError }).code, "host-ambiguous");
	const error = t.throws(() => names(["w-1"]), { instanceOf: IronstrapError });
	t.is(error.code, "host-unknown");
	t.is(error.fix, "did you mean w-0?");
});

test("`up` says which hosts it leaves alone", async (t) => {
	const { store } = await lived(host());
	const paused = host(
		{},
		{ name: "w-0", annotations: { "baremetalhost.metal3.io/paused": "metal3.io/capm3" } },
	);
	const apart = host({}, { name: "w-1", annotations: { "baremetalhost.metal3.io/detached": "" } });
	t.deepEqual(await remarks(site([paused, apart]), store), [
		"metal3/cp-0 is not in the manifests any more and is left as it is; `ironstrap hosts remove metal3/cp-0` takes it out of Ironic",
		"metal3/w-0 is paused: nothing is done for it",
		"metal3/w-1 is detached from Ironic",
	]);
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.ID, UUID);
});
