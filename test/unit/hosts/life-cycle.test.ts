import test from "ava";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { host, IMAGE, memoryStore, NOW, run, secret, site } from "./_fixtures.ts";
import { KILLED, modelIronic, modelNode, UUID } from "./_model-ironic.ts";

const HAPPY = [
	"create-node",
	"create-port",
	"manage",
	"inspect",
	"provide",
	"patch /instance_info",
	"active",
];

test("a new host is registered, inspected, cleaned and deployed, and its status reads as BMO's", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	const cp0 = host();
	const events = await run(cp0, { site: site([cp0]), ironic, store, now: NOW }, ironic);
	t.deepEqual(ironic.changes, HAPPY);
	t.is(ironic.nodes[0]?.name, "metal3~cp-0");
	t.is(ironic.nodes[0]?.provision_state, "active");
	const now = "2026-08-01T10:30:00Z";
	t.deepEqual(store.hosts.get("metal3/cp-0")?.status, {
		operationalStatus: "OK",
		errorMessage: "",
		errorCount: 0,
		provisioningFailCount: 0,
		poweredOn: true,
		hardwareProfile: "unknown",
		lastUpdated: now,
		goodCredentials: { credentials: { name: "cp-0-bmc", namespace: "metal3" } },
		triedCredentials: { credentials: { name: "cp-0-bmc", namespace: "metal3" } },
		operationHistory: {
			register: { start: now, end: now },
			inspect: { start: now, end: now },
			provision: { start: now, end: now },
			deprovision: { start: null, end: null },
		},
		provisioning: { state: "provisioned", ID: UUID, bootMode: "UEFI", image: IMAGE },
	});
	t.true(events.some((event) => event.type === "host" && event.detail.includes("wait call-back")));
});

test("a second run changes nothing", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	await run(host(), context, ironic);
	const before = [...ironic.changes];
	await run(host(), context, ironic);
	t.deepEqual(ironic.changes, before);
});

test("killed after any change, the next process continues and ends the same", async (t) => {
	for (let killAfter = 0; killAfter <= HAPPY.length; killAfter += 1) {
		const ironic = modelIronic();
		const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
		ironic.killAfter = killAfter;
		await run(host(), context, ironic).catch((error: Error) => t.is(error.message, KILLED));
		ironic.killAfter = Number.POSITIVE_INFINITY;
		await run(host(), context, ironic);
		const status = (await context.store.read({ namespace: "metal3", name: "cp-0" }))?.status;
		t.is(status?.provisioning.state, "provisioned", `killed after ${killAfter}`);
		t.is(ironic.changes.filter((change) => change === "create-node").length, 1);
		t.is(ironic.changes.filter((change) => change === "active").length, 1);
	}
});

test("an externally provisioned host is registered and never inspected, cleaned, deployed or adopted", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	const external = host({ externallyProvisioned: true });
	ironic.failures.set("verifying", []);
	await run(external, { site: site([external]), ironic, store, now: NOW }, ironic);
	t.deepEqual(ironic.changes, ["create-node", "create-port", "manage", "power on"]);
	t.deepEqual(store.hosts.get("metal3/cp-0")?.status.provisioning, {
		state: "externally provisioned",
		ID: UUID,
		bootMode: "UEFI",
		image: { url: "" },
	});
});

test("without inspection and image a host becomes available", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	const spare = host({ inspectionMode: "disabled", image: undefined, online: false });
	await run(spare, { site: site([spare]), ironic, store, now: NOW }, ironic);
	t.deepEqual(ironic.changes, ["create-node", "create-port", "manage", "provide", "power off"]);
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "available");
});

test("a provisioned server whose Ironic lost its database is enrolled and adopted, nothing else", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	await run(host(), context, ironic);
	ironic.nodes.length = 0;
	ironic.ports.length = 0;
	ironic.inventories.clear();
	ironic.changes.length = 0;
	ironic.failures.clear();
	await run(host(), context, ironic);
	t.deepEqual(
		ironic.changes.filter((change) => change !== "power on"),
		["create-node", "create-port", "manage", "adopt"],
	);
	t.is((await context.store.read(host().metadata))?.status.provisioning.state, "provisioned");
});

for (const [state, words, type, code, fix] of [
	[
		"verifying",
		"Failed to get power state for node X. Error: HTTP GET http://192.168.222.1:8000/redfish/v1/Systems/cp-0 returned code 401. unknown error Extended information: none",
		"registration error",
		"host-bmc-password",
		/Secret that spec.bmc.credentialsName/,
	],
	[
		"verifying",
		"Failed to get power state for node X. Error: Unable to connect to http://192.168.222.1:8000/redfish/v1/. Error: HTTPConnectionPool: Max retries exceeded",
		"registration error",
		"host-bmc-unreachable",
		/curl -k/,
	],
	[
		"verifying",
		"Redfish exception occurred. Error: HTTP GET http://b/redfish/v1/ returned code 500. unknown error",
		"registration error",
		"host-bmc-failing",
		/reset the BMC/,
	],
	[
		"inspect wait",
		"timeout reached while inspecting the node",
		"inspection error",
		"host-no-callback",
		/logs dnsmasq/,
	],
	[
		"inspecting",
		"Failed to inspect hardware. Reason: No disks satisfied root device hints for node X",
		"inspection error",
		"host-root-device",
		/rootDeviceHints/,
	],
	[
		"clean wait",
		"Timeout reached while cleaning the node. Please check if the ramdisk responsible",
		"preparation error",
		"host-no-callback",
		/console/,
	],
	[
		"wait call-back",
		"Node X failed deploy step {} with: Error verifying image checksum: Image failed to verify against checksum. location: /tmp/os; image ID: os; image checksum: 9f0d; verification checksum: 11ee",
		"provisioning error",
		"host-image-checksum",
		/sha256sum/,
	],
	[
		"wait call-back",
		"Error downloading image: Unable to write image to /tmp/os. Error: [Errno 28] No space left on device",
		"provisioning error",
		"host-image-too-big",
		/larger root disk/,
	],
	[
		"wait call-back",
		"Timeout reached while waiting for callback for node X",
		"provisioning error",
		"host-no-callback",
		/spec.bootMACAddress/,
	],
] as const)
	test(`${code} in ${state}: told with cause, place and fix, stored as ${type}; the next run continues`, async (t) => {
		const ironic = modelIronic();
		const store = memoryStore();
		const cp0 = host();
		const context = { site: site([cp0]), ironic, store, now: NOW };
		ironic.failures.set(state, [words]);
		const error = await t.throwsAsync(run(cp0, context, ironic), { instanceOf: IronstrapError });
		t.is(error.code, code);
		t.is(error.subject, "BareMetalHost metal3/cp-0");
		t.is(error.where?.file, "site.yaml");
		t.is(error.seen, words);
		t.regex(error.fix ?? "", fix);
		const status = store.hosts.get("metal3/cp-0")?.status;
		t.is(status?.operationalStatus, "error");
		t.is(status?.errorType, type);
		t.is(status?.errorCount, 1);
		t.true(status?.errorMessage.includes(words));
		await run(cp0, context, ironic);
		t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "provisioned");
		t.is(store.hosts.get("metal3/cp-0")?.status.errorType, undefined);
		t.is(store.hosts.get("metal3/cp-0")?.status.errorCount, 0);
	});

test("a ramdisk that never calls back ends with the deadline, and with where to look", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	const cp0 = host();
	ironic.stuck.add("inspect wait");
	const error = await t.throwsAsync(run(cp0, { site: site([cp0]), ironic, store, now: NOW }, ironic), {
		instanceOf: IronstrapError,
	});
	t.is(error.code, "host-no-callback");
	t.regex(error.seen ?? "", /last seen: inspect wait, power on/);
	t.regex(error.fix ?? "", /console/);
	t.is(store.hosts.get("metal3/cp-0")?.status.errorType, "inspection error");
	ironic.stuck.clear();
	await run(cp0, { site: site([cp0]), ironic, store, now: NOW }, ironic);
	t.true(ironic.changes.includes("abort"));
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "provisioned");
});

test("corrected BMC credentials reach the node in the next run", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	const cp0 = host();
	ironic.failures.set("verifying", ["returned code 401"]);
	await t.throwsAsync(run(cp0, { site: site([cp0]), ironic, store, now: NOW }, ironic));
	const corrected = site([cp0], { secrets: [secret("cp-0-bmc", { username: "admin", password: "right" })] });
	await run(cp0, { site: corrected, ironic, store, now: NOW }, ironic);
	t.is(ironic.nodes[0]?.driver_info.redfish_password, "right");
});

for (const [where, corrected, words] of [
	["running", "right", undefined],
	["running, and wrong again", "wrong", "returned code 401"],
] as const)
	test(`changed BMC credentials of a server that is ${where} reach its node, are tried, and nothing else happens`, async (t) => {
		const ironic = modelIronic();
		const store = memoryStore();
		const cp0 = host();
		const context = {
			site: site([cp0]),
			ironic,
			store,
			now: NOW,
			fingerprint: (text: string) => text.length + text,
		};
		await run(cp0, context, ironic);
		ironic.changes.length = 0;
		const secrets = [secret("cp-0-bmc", { username: "admin", password: corrected })];
		if (words !== undefined)
			ironic.bootDevice = () =>
				Promise.reject(new IronstrapError({ code: "ironic-refused", message: "no", seen: words }));
		const again = () => run(cp0, { ...context, site: site([cp0], { secrets }) }, ironic);
		if (words === undefined) await again();
		else t.is((await t.throwsAsync(again(), { instanceOf: IronstrapError })).code, "host-bmc-password");
		t.deepEqual(ironic.changes, ["patch /driver_info"]);
		t.is(ironic.nodes[0]?.driver_info.redfish_password, corrected);
		t.is(store.hosts.get("metal3/cp-0")?.status.errorType, words && "provisioned registration error");
		// what did not work is not taken for known
		await again().catch(() => undefined);
		t.is(ironic.changes.length, words === undefined ? 1 : 2);
	});

test("protection from being switched off reaches a running server's node", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	await run(host(), context, ironic);
	await run(host({ disablePowerOff: true }), context, ironic);
	t.is(ironic.nodes[0]?.disable_power_off, true);
});

const OTHER = { ...IMAGE, url: "http://172.22.0.1:6180/images/other.qcow2" };

test("another image: undeployed and deployed again, also if killed after any change", async (t) => {
	const whole = ["patch /driver_info", "deleted", "patch /instance_info", "active"];
	for (let killAfter = 0; killAfter <= whole.length; killAfter += 1) {
		const ironic = modelIronic();
		const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
		await run(host(), context, ironic);
		ironic.changes.length = 0;
		ironic.killAfter = killAfter;
		await run(host({ image: OTHER }), context, ironic).catch((error: Error) => t.is(error.message, KILLED));
		ironic.killAfter = Number.POSITIVE_INFINITY;
		await run(host({ image: OTHER }), context, ironic);
		const verbs = ironic.changes.filter((change) => !change.startsWith("patch"));
		t.deepEqual(verbs, ["deleted", "active"], `killed after ${killAfter}`);
		const status = context.store.hosts.get("metal3/cp-0")?.status;
		t.is(status?.provisioning.image?.url, OTHER.url);
		t.deepEqual(status?.operationHistory?.deprovision, {
			start: "2026-08-01T10:30:00Z",
			end: "2026-08-01T10:30:00Z",
		});
	}
});

test("no image any more: undeployed, available, and deployed again with the next image", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	await run(host(), context, ironic);
	await run(host({ image: undefined }), context, ironic);
	t.deepEqual(context.store.hosts.get("metal3/cp-0")?.status.provisioning, {
		state: "available",
		ID: UUID,
		bootMode: "UEFI",
	});
	await run(host({ image: OTHER }), context, ironic);
	t.like(context.store.hosts.get("metal3/cp-0")?.status.provisioning, { state: "provisioned", image: OTHER });
});

test("a one-shot reboot annotation: off, remembered, on; taken away and put back it counts again", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	const asking = host({}, { annotations: { "reboot.metal3.io": "" } });
	await run(host(), context, ironic);
	const cycles = async (subject: typeof asking) => {
		ironic.changes.length = 0;
		await run(subject, context, ironic);
		return ironic.changes.filter((change) => change.includes("power"));
	};
	t.deepEqual(await cycles(asking), ["soft power off", "power on"]);
	t.deepEqual(await cycles(asking), []);
	t.deepEqual(await cycles(host({ description: "other" }, asking.metadata)), []);
	t.deepEqual(await cycles(host()), []);
	ironic.deaf.add(UUID);
	t.deepEqual(await cycles(asking), ["soft power off", "power off", "power on"]);
});

test("an inspection that is asked for is done once, and its details replace the old ones", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	const spare = host({ image: undefined });
	await run(spare, context, ironic);
	ironic.changes.length = 0;
	ironic.nodes[0] = {
		...ironic.nodes[0],
		inspection_finished_at: "2026-08-01T09:00:00+00:00",
	} as (typeof ironic.nodes)[number];
	const asking = host({ image: undefined }, { annotations: { "inspect.metal3.io": "" } });
	await run(asking, context, ironic);
	t.deepEqual(
		ironic.changes.filter((change) => !change.startsWith("patch")),
		["manage", "inspect", "provide"],
	);
	await run(asking, context, ironic);
	t.is(ironic.changes.filter((change) => change === "inspect").length, 1);
	t.is(context.store.hosts.get("metal3/cp-0")?.refreshing, undefined);
});

test("detached: out of Ironic as it is, and back again without a power action", async (t) => {
	const ironic = modelIronic();
	const context = { site: site([host()]), ironic, store: memoryStore(), now: NOW };
	await run(host(), context, ironic);
	ironic.changes.length = 0;
	const apart = host({ online: false }, { annotations: { "baremetalhost.metal3.io/detached": "" } });
	await run(apart, context, ironic);
	await run(apart, context, ironic);
	t.deepEqual(ironic.changes, ["maintenance", "delete-node"]);
	t.like(context.store.hosts.get("metal3/cp-0")?.status, {
		operationalStatus: "detached",
		provisioning: { state: "provisioned", image: IMAGE },
	});
	ironic.changes.length = 0;
	ironic.bmcPower = "power on";
	await run(host(), context, ironic);
	t.deepEqual(ironic.changes, ["create-node", "create-port", "manage", "adopt"]);
	t.is(context.store.hosts.get("metal3/cp-0")?.status.operationalStatus, "OK");
});

test("a ramdisk that a run gave up waiting for is started anew by the next", async (t) => {
	const node = modelNode({ provision_state: "inspect wait", power_state: "power on" });
	const ironic = modelIronic(
		[node],
		[{ uuid: "p", address: "52:54:00:ab:00:01", node_uuid: UUID, pxe_enabled: true }],
	);
	const store = memoryStore([
		{
			formatVersion: 1,
			namespace: "metal3",
			name: "cp-0",
			status: {
				operationalStatus: "error",
				errorType: "inspection error",
				errorMessage: "the ramdisk never called back",
				errorCount: 1,
				provisioningFailCount: 0,
				poweredOn: true,
				provisioning: { state: "inspecting", ID: UUID },
			},
		},
	]);
	await run(host(), { site: site([host()]), ironic, store, now: NOW }, ironic);
	t.is(ironic.changes[0], "abort");
	t.true(ironic.changes[1]?.startsWith("patch /driver_info"));
	t.is(ironic.changes[2], "inspect");
	t.is(store.hosts.get("metal3/cp-0")?.status.provisioning.state, "provisioned");
});

test("no error, status or event contains a BMC password", async (t) => {
	const ironic = modelIronic();
	const store = memoryStore();
	ironic.failures.set("verifying", ["cannot open http://admin:secret-of-the-bmc@192.168.222.1:8000/"]);
	const error = await t.throwsAsync(run(host(), { site: site([host()]), ironic, store, now: NOW }, ironic), {
		instanceOf: IronstrapError,
	});
	t.false(
		JSON.stringify([error, error.message, error.seen, [...store.hosts.values()]]).includes(
			"secret-of-the-bmc",
		),
	);
});
