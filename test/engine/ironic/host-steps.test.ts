import test, { type ExecutionContext } from "ava";
import { imageStore } from "../../../lab/image-store.ts";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { until } from "../../../lab/until.ts";
import { hostSteps } from "../../../src/hosts/steps.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { BareMetalHost } from "../../../src/resources/bare-metal-host.ts";
import type { Site } from "../../../src/resources/site.ts";
import type { RunEvent } from "../../../src/steps/events.ts";
import { waitFor } from "../../../src/steps/wait.ts";
import { host, memoryStore, secret, site } from "../../unit/hosts/_fixtures.ts";
import { callBack, type RealIronic, startRealIronic } from "./real-ironic.ts";

let lab: Lab;
let ironic: RealIronic;

test.before(async (t) => {
	t.timeout(30 * 60_000);
	lab = await startLab({ imageStores: [await imageStore()], servers: [{ memoryMiB: 256 }] });
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

async function run(subject: BareMetalHost, given: Site, store = memoryStore()): Promise<RunEvent[]> {
	const events: RunEvent[] = [];
	const signal = new AbortController().signal;
	const emit = (event: RunEvent) => void events.push(event);
	const tools = { signal, emit, waitFor: (spec, look) => waitFor(spec, look, emit, signal) } as Parameters<
		NonNullable<ReturnType<typeof hostSteps>[number]["do"]>
	>[1];
	const context = { site: given, ironic: ironic.client, store };
	for (const step of hostSteps(subject))
		if ((await step.done?.(context, tools)) !== true) await step.do(context, tools);
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
