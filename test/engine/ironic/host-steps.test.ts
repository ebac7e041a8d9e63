import { createHash } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { imageStore } from "../../../lab/image-store.ts";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { until } from "../../../lab/until.ts";
import type { HostContext } from "../../../src/hosts/context.ts";
import { hostSteps, removalStep } from "../../../src/hosts/steps.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { BareMetalHost } from "../../../src/resources/bare-metal-host.ts";
import type { Site } from "../../../src/resources/site.ts";
import type { RunEvent } from "../../../src/steps/events.ts";
import type { Step } from "../../../src/steps/step.ts";
import { waitFor } from "../../../src/steps/wait.ts";
import { host, IMAGE, memoryStore, secret, site } from "../../unit/hosts/_fixtures.ts";
import { callBack, type RealIronic, startRealIronic } from "./real-ironic.ts";

let lab: Lab;
let ironic: RealIronic;

test.before(async (t) => {
	t.timeout(30 * 60_000);
	lab = await startLab({
		imageStores: [await imageStore()],
		servers: [{ memoryMiB: 256 }, { memoryMiB: 256 }],
	});
	ironic = await startRealIronic(lab.sandbox);
});

test.after.always(async () => {
	await ironic?.stop();
	await lab?.stop();
});

const MAC = "52:54:00:ab:00:01";

/** A host that ends `available`: a deployment would need the ramdisk. */
function spare(name: string, spec: Record<string, unknown> = {}): BareMetalHost {
	const credentialsName = `${name}-bmc`;
	return host(
		{
			image: undefined,
			bmc: { address: lab.servers[0]?.bmcAddress, credentialsName },
			automatedCleaningMode: "disabled",
			bootMACAddress: MAC,
			...spec,
		},
		{ name },
	);
}

function siteOf(subject: BareMetalHost, password = lab.bmc.password): Site {
	return site([subject], {
		secrets: [secret(`${subject.metadata.name}-bmc`, { username: lab.bmc.username, password })],
	});
}

async function run(
	subject: BareMetalHost,
	given: Site,
	store = memoryStore(),
	steps: readonly Step<HostContext>[] = hostSteps(subject),
): Promise<RunEvent[]> {
	const events: RunEvent[] = [];
	const signal = new AbortController().signal;
	const emit = (event: RunEvent) => void events.push(event);
	const tools = { signal, emit, waitFor: (spec, look) => waitFor(spec, look, emit, signal) } as Parameters<
		NonNullable<ReturnType<typeof hostSteps>[number]["do"]>
	>[1];
	const fingerprint = (text: string) => createHash("sha256").update(text).digest("hex");
	const context = { site: given, ironic: ironic.client, store, fingerprint };
	for (const step of steps) if ((await step.done?.(context, tools)) !== true) await step.do(context, tools);
	return events;
}

async function failure(
	t: ExecutionContext,
	subject: BareMetalHost,
	given: Site,
	store = memoryStore(),
): Promise<IronstrapError> {
	return t.throwsAsync(run(subject, given, store), { instanceOf: IronstrapError });
}

test.serial(
	"a wrong BMC password is named as such; corrected, the same host goes on to available",
	async (t) => {
		t.timeout(300_000);
		const subject = spare("s0");
		const store = memoryStore();
		const error = await failure(t, subject, siteOf(subject, "wrong"), store);
		t.is(error.code, "host-bmc-password", error.seen);
		t.is(store.hosts.get("metal3/s0")?.status.errorType, "registration error");
		const finished = run(subject, siteOf(subject), store);
		await until(
			async () =>
				(await ironic.client.findNode("metal3~s0"))?.provision_state === "inspect wait" || undefined,
			{
				what: "the inspection to begin",
				deadlineMs: 60_000,
			},
		);
		t.is(await callBack(ironic, MAC), 202);
		const events = await finished;
		const stored = store.hosts.get("metal3/s0");
		t.is(stored?.status.provisioning.state, "available");
		t.is(stored?.status.operationalStatus, "OK");
		t.is(stored?.hardware?.ramMebibytes, 512);
		t.is(stored?.hardware?.storage?.[0]?.name, "/dev/disk/by-path/pci-0000:00:1f.2-ata-1");
		t.like(await ironic.client.findNode("metal3~s0"), {
			provision_state: "available",
			driver: "redfish",
			boot_interface: "ipxe",
		});
		t.true(events.some((event) => event.type === "host" && event.detail.startsWith("inspect")));
		t.true(
			events.some((event) => event.type === "waiting" && event.wait.what === "metal3/s0 to be inspected"),
		);
		const again = await run(subject, siteOf(subject), store);
		t.deepEqual(again, []);
		await switched(t, subject, store);
	},
);

/** An available server: off and on, then taken out of Ironic, which leaves it off. */
async function switched(
	t: ExecutionContext,
	subject: BareMetalHost,
	store: ReturnType<typeof memoryStore>,
): Promise<void> {
	const power = async () => (await lab.bmc.control.servers())[0]?.power;
	for (const on of [false, true]) {
		await run(subject, siteOf(subject), store, hostSteps(subject, { kind: "power", on }));
		t.is(await power(), on ? "On" : "Off");
		t.is(store.hosts.get("metal3/s0")?.status.poweredOn, on);
	}
	await run(subject, siteOf(subject), store, [removalStep(subject)]);
	t.is(await power(), "Off");
	t.is(await ironic.client.findNode("metal3~s0"), undefined);
	t.is(store.hosts.size, 0);
	await run(spare("s0", { inspectionMode: "disabled", online: false }), siteOf(subject), store);
}

test.serial(
	"a running server is taken over, gets a new password, leaves Ironic and is adopted: its BMC sees nothing but reads",
	async (t) => {
		t.timeout(300_000);
		const server = lab.servers[1];
		if (server === undefined) throw new Error("the lab has one server");
		await lab.bmc.control.reset(server.name, "On");
		const before = (await lab.bmc.requests()).length;
		const fields = {
			bmc: { address: server.bmcAddress, credentialsName: "runs-bmc" },
			bootMACAddress: server.mac,
			image: IMAGE,
		};
		const store = memoryStore();
		const external = spare("runs", { ...fields, externallyProvisioned: true });
		await run(external, siteOf(external), store);
		t.is(store.hosts.get("metal3/runs")?.status.provisioning.state, "externally provisioned");
		const wrong = await failure(t, external, siteOf(external, "wrong"), store);
		t.is(wrong.code, "host-bmc-password", wrong.seen);
		await run(external, siteOf(external), store);
		t.is(store.hosts.get("metal3/runs")?.status.operationalStatus, "OK");
		const { metadata, spec } = external;
		const apart = {
			spec,
			metadata: { ...metadata, annotations: { "baremetalhost.metal3.io/detached": "" } },
		};
		await run({ ...external, ...apart }, siteOf(external), store);
		t.is(store.hosts.get("metal3/runs")?.status.operationalStatus, "detached");
		t.is(await ironic.client.findNode("metal3~runs"), undefined);
		// the flag is taken away: from now on a provisioned server with the declared image
		const ours = spare("runs", fields);
		await run(ours, siteOf(ours), store);
		t.is((await ironic.client.findNode("metal3~runs"))?.provision_state, "active");
		t.like(store.hosts.get("metal3/runs")?.status, {
			poweredOn: true,
			operationalStatus: "OK",
			provisioning: { state: "provisioned", image: IMAGE },
		});
		const asked = (await lab.bmc.requests()).slice(before).filter(({ path }) => path.includes(server.uuid));
		t.true(asked.length > 5);
		t.deepEqual(
			asked.filter(({ method }) => method !== "GET"),
			[],
		);
	},
);

test.serial(
	"a BMC that answers with its own error, a wrong path and a dead address are told apart",
	async (t) => {
		t.timeout(300_000);
		const failing = spare("failing", { bootMACAddress: "52:54:00:ab:00:11" });
		await lab.bmc.control.setFaults([{ kind: "status", status: 500 }]);
		const error = await failure(t, failing, siteOf(failing));
		await lab.bmc.control.setFaults([]);
		t.is(error.code, "host-bmc-failing", error.seen);
		const lost = spare("lost", {
			bootMACAddress: "52:54:00:ab:00:12",
			bmc: { address: `redfish+${lab.bmc.address}/redfish/v1/Systems/nobody`, credentialsName: "lost-bmc" },
		});
		const unknown = await failure(t, lost, siteOf(lost));
		t.is(unknown.code, "host-bmc-system", unknown.seen);
		const dead = spare("dead", {
			bootMACAddress: "52:54:00:ab:00:13",
			bmc: { address: "redfish+http://192.168.222.1:8009/redfish/v1/Systems/1", credentialsName: "dead-bmc" },
		});
		const unreachable = await failure(t, dead, siteOf(dead));
		t.is(unreachable.code, "host-bmc-unreachable", unreachable.seen);
	},
);

test.serial("a MAC address that another node has is refused without a second node", async (t) => {
	const twin = spare("twin");
	t.is((await failure(t, twin, siteOf(twin))).code, "host-port-taken");
	t.is(await ironic.client.findNode("metal3~twin"), undefined);
});
