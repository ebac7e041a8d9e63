import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { parseAllDocuments } from "yaml";
import { imageStore } from "../../../lab/image-store.ts";
import { startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { until } from "../../../lab/until.ts";
import { createIronicClient } from "../../../src/ironic/client.ts";
import type { ProvisionState } from "../../../src/ironic/node.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { importIronic } from "../../../src/lifecycle/import.ts";
import { callBack, type RealIronic, startRealIronic } from "./real-ironic.ts";

let sandbox: Sandbox;
let ironic: RealIronic;

test.before(async (t) => {
	t.timeout(30 * 60_000);
	const store = await imageStore();
	sandbox = await startSandbox();
	await startPodman(sandbox, { imageStores: [store] });
	ironic = await startRealIronic(sandbox);
});

test.after.always(async () => {
	await ironic?.stop();
	await sandbox?.stop();
});

const FAKE = {
	driver: "fake-hardware",
	driver_info: {},
	boot_interface: "fake",
	deploy_interface: "fake",
	inspect_interface: "agent",
	management_interface: "fake",
	power_interface: "fake",
};

async function reach(uuid: string, state: ProvisionState): Promise<void> {
	await until(async () => (await ironic.client.getNode(uuid))?.provision_state === state || undefined, {
		what: `node ${uuid} to be ${state}`,
		deadlineMs: 30_000,
	});
}

async function code(call: Promise<unknown>): Promise<string> {
	return call.then(
		() => "no error",
		(error: unknown) => (error instanceof IronstrapError ? error.code : String(error)),
	);
}

test.serial("a node's whole life through the real API", async (t) => {
	t.timeout(120_000);
	const { client } = ironic;
	t.is(await client.version(), "1.96");
	t.deepEqual((await client.drivers()).map(({ name }) => name).sort(), ["fake-hardware", "redfish"]);
	t.is(await client.findNode("metal3~life"), undefined);
	const { uuid } = await client.createNode({ ...FAKE, name: "metal3~life", disable_power_off: true });
	t.is((await client.findNode("metal3~life"))?.uuid, uuid);
	await client.createPort({ node_uuid: uuid, address: "52:54:00:ab:00:aa", pxe_enabled: true });
	t.like((await client.listPorts({ address: "52:54:00:ab:00:aa" }))[0], {
		node_uuid: uuid,
		pxe_enabled: true,
	});
	await client.setProvisionState(uuid, { target: "manage" });
	await reach(uuid, "manageable");
	t.is(await client.inventory(uuid), undefined);
	await client.setProvisionState(uuid, { target: "inspect" });
	await reach(uuid, "inspect wait");
	t.is(await callBack(ironic, "52:54:00:ab:00:aa"), 202);
	await reach(uuid, "manageable");
	t.is((await client.inventory(uuid))?.inventory.memory?.physical_mb, 512);
	await client.setProvisionState(uuid, { target: "provide" });
	await reach(uuid, "available");
	await client.patchNode(uuid, [
		{ op: "add", path: "/instance_info", value: { image_source: "http://172.22.0.1/os.raw" } },
	]);
	t.true((await client.validate(uuid)).deploy?.result);
	await client.setProvisionState(uuid, {
		target: "active",
		configdrive: { meta_data: { name: "life" }, user_data: "#cloud-config" },
	});
	await reach(uuid, "active");
	const active = await client.getNode(uuid);
	t.is(active?.instance_info.configdrive, "******");
	t.true(active?.disable_power_off);
	await client.setMaintenance(uuid, "ironstrap.io/r-1");
	t.like(await client.getNode(uuid), { maintenance: true, maintenance_reason: "ironstrap.io/r-1" });
	await client.setMaintenance(uuid, undefined);
	t.false((await client.getNode(uuid))?.maintenance);
	t.deepEqual(await client.virtualMedia(uuid), []);
});

test.serial("refusals come back with Ironic's own words", async (t) => {
	const { client } = ironic;
	const { uuid } = await client.createNode({ ...FAKE, name: "metal3~twice" });
	t.is(await code(client.createNode({ ...FAKE, name: "metal3~twice" })), "ironic-conflict");
	const error = await t.throwsAsync(client.setProvisionState(uuid, { target: "active" }), {
		instanceOf: IronstrapError,
	});
	t.is(error.code, "ironic-refused");
	t.regex(
		error.seen ?? "",
		/requested action "active" can not be performed on node .* while it is in state "enroll"/,
	);
	t.is(await code(client.createNode({ name: "metal3~x", driver: "ilo", driver_info: {} })), "ironic-refused");
	t.is(await client.getNode("0b1f5c2e-0000-4000-8000-000000000002"), undefined);
	const stranger = createIronicClient({ baseUrl: ironic.baseUrl, username: "ironic", password: "wrong" });
	t.is(await code(stranger.listNodes()), "ironic-unauthorized");
	await stranger.close();
	await client.deleteNode(uuid);
	t.is(await client.getNode(uuid), undefined);
});

test.serial("all nodes are listed across pages, patched ones too", async (t) => {
	const { client } = ironic;
	const before = (await client.listNodes()).length;
	for (let index = 0; index < 12; index += 1) {
		const { uuid } = await client.createNode({ ...FAKE, name: `metal3~page-${index}` });
		if (index % 2 === 0)
			await client.patchNode(uuid, [{ op: "add", path: "/description", value: "patched" }]);
	}
	const names = (await client.listNodes()).map(({ name }) => name);
	t.is(names.length, before + 12);
	t.is(new Set(names).size, names.length);
});

test.serial("its nodes are imported: a host for each, and nothing of them is changed", async (t) => {
	t.timeout(60_000);
	const { client } = ironic;
	const { uuid } = await client.createNode({
		...{ driver: "redfish", boot_interface: "redfish-virtual-media", name: "metal3~taken" },
		driver_info: {
			...{ redfish_address: "https://[fd00::20]:8443", redfish_system_id: "/redfish/v1/Systems/1" },
			...{ redfish_username: "root", redfish_password: "hunter2", redfish_verify_ca: false },
		},
	});
	await client.createPort({ node_uuid: uuid, address: "52:54:00:AB:00:BB", pxe_enabled: true });
	const before = await client.getNode(uuid);
	const folder = await mkdtemp(join(tmpdir(), "ironstrap-import-"));
	await writeFile(join(folder, "password"), `${ironic.password}\n`);
	const result = await importIronic(
		{ url: ironic.baseUrl, username: ironic.username, passwordFile: join(folder, "password") },
		{
			directory: join(folder, "site"),
			namespace: "metal3",
			force: false,
			signal: AbortSignal.timeout(30_000),
		},
	);
	t.is(result.hosts, (await client.listNodes()).length);
	const hosts = parseAllDocuments(await readFile(join(folder, "site", "hosts.yaml"), "utf8"));
	t.like(
		hosts
			.map((each) => each.toJS() as { metadata: { name: string } })
			.find(({ metadata }) => metadata.name === "taken"),
		{
			metadata: { name: "taken", namespace: "metal3" },
			spec: {
				bootMACAddress: "52:54:00:ab:00:bb",
				bmc: {
					address: "redfish-virtualmedia://[fd00::20]:8443/redfish/v1/Systems/1",
					credentialsName: "taken-bmc",
					disableCertificateVerification: true,
				},
			},
		},
	);
	t.true(
		result.report.some(
			({ host, kind, field }) =>
				host === "taken" && kind === "missing" && field === "driver_info.redfish_password",
		),
		"Ironic does not tell passwords",
	);
	t.deepEqual(await client.getNode(uuid), before);
});
