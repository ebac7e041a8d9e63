import test from "ava";
import { declaredHardware } from "../../../src/hosts/declared-hardware.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { hardwareDataSchema } from "../../../src/resources/hardware-data.ts";
import { host, IMAGE, memoryStore, NOW, run, site } from "./_fixtures.ts";
import { modelIronic } from "./_model-ironic.ts";

/** Deploys one kind after the other on the same server; tells what each `active` was asked with. */
function life() {
	const ironic = modelIronic();
	const store = memoryStore();
	const asked: object[] = [];
	const { patchNode, setProvisionState } = ironic;
	ironic.patchNode = async (uuid, patch, options) => {
		const patched = await patchNode(uuid, patch, options);
		for (const operation of patch)
			if (operation.op === "remove")
				Object.assign(ironic.nodes[0] ?? {}, { [operation.path.slice(1)]: "direct" });
		return patched;
	};
	ironic.setProvisionState = async (uuid, request, options) => {
		if (request.target === "active") {
			const { deploy_interface, instance_info } = ironic.nodes[0] ?? {};
			asked.push({ deploy_interface, instance_info, deploy_steps: request.deploy_steps });
		}
		return setProvisionState(uuid, request, options);
	};
	const up = (spec: Record<string, unknown>) =>
		run(host(spec), { site: site([host(spec)]), ironic, store, now: NOW }, ironic);
	const provisioning = () => store.hosts.get("metal3/cp-0")?.status.provisioning;
	return { asked, ironic, provisioning, up };
}

const ISO = { url: "http://172.22.0.1:6180/images/live.iso", format: "live-iso" };
const CUSTOM = { image: undefined, customDeploy: { method: "install_coreos" } };

test("custom deployment, live ISO, qcow2: each with its own interface and information, and nothing of the one before", async (t) => {
	const { asked, provisioning, up } = life();
	await up(CUSTOM);
	t.like(provisioning(), {
		state: "provisioned",
		image: { url: "" },
		customDeploy: { method: "install_coreos" },
	});
	await up({ image: ISO });
	t.is(provisioning()?.customDeploy, undefined);
	await up({});
	t.like(provisioning(), { state: "provisioned", image: IMAGE });
	t.deepEqual(asked, [
		{
			deploy_interface: "custom-agent",
			instance_info: { capabilities: {} },
			deploy_steps: [{ interface: "deploy", step: "install_coreos", args: {}, priority: 80 }],
		},
		{
			deploy_interface: "ramdisk",
			instance_info: { capabilities: {}, boot_iso: ISO.url },
			deploy_steps: undefined,
		},
		{
			deploy_interface: "direct",
			instance_info: {
				capabilities: {},
				image_source: IMAGE.url,
				image_disk_format: "qcow2",
				image_os_hash_algo: "sha256",
				image_os_hash_value: IMAGE.checksum,
			},
			deploy_steps: undefined,
		},
	]);
});

for (const [title, spec, verbs] of [
	["the same method", CUSTOM, []],
	["another method", { ...CUSTOM, customDeploy: { method: "install_other" } }, ["deleted", "active"]],
	["no method", { image: undefined }, ["deleted"]],
	["an image instead", {}, ["deleted", "active"]],
] as const)
	test(`deployed by a custom method, then declared: ${title}`, async (t) => {
		const { ironic, up } = life();
		await up(CUSTOM);
		ironic.changes.length = 0;
		await up(spec);
		t.deepEqual(
			ironic.changes.filter((change) => !change.startsWith("patch")),
			[...verbs],
		);
	});

test("a pull secret, which would be ignored, is refused before anything is powered", async (t) => {
	const { ironic, up } = life();
	const image = { url: "oci://registry.example.com/os:1", ociAuthSecretName: "pull" };
	const error = await t.throwsAsync(up({ image }), { instanceOf: IronstrapError });
	t.is(error.code, "host-unsupported");
	t.regex(error.message, /spec\.image\.ociAuthSecretName/);
	t.deepEqual(ironic.changes, []);
});

test("hardware that the manifests bring stands in for an inspection; HardwareData goes before the annotation", (t) => {
	const annotations = { "inspect.metal3.io/hardwaredetails": '{"ramMebibytes":4096}' };
	const disabled = host({ inspectionMode: "disabled" }, { annotations });
	t.deepEqual(declaredHardware(disabled, site([disabled])), { ramMebibytes: 4096 });
	t.is(declaredHardware(host({}, { annotations }), site([])), undefined);
	const data = hardwareDataSchema.parse({
		apiVersion: "metal3.io/v1alpha1",
		kind: "HardwareData",
		metadata: { name: "cp-0", namespace: "metal3" },
		spec: { hardware: { ramMebibytes: 8192 } },
	});
	t.deepEqual(declaredHardware(disabled, site([disabled], { hardwareData: [data] })), { ramMebibytes: 8192 });
});
