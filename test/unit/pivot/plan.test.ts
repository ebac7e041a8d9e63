import test from "ava";
import fc from "fast-check";
import { faultsOf } from "../../../src/lib/errors.ts";
import { leaseDependences } from "../../../src/pivot/lease-dependence.ts";
import type { PlannedHost } from "../../../src/pivot/plan.ts";
import { objectsOf } from "../../../src/pivot/target-facts.ts";
import { schemaFaults } from "../../../src/resources/crd-schema.ts";
import type { IronicSpec } from "../../../src/resources/ironic.ts";
import { parseLeases } from "../../../src/stack/leases.ts";
import type { KeptAddress } from "../../../src/state/host-store.ts";
import { BMO_RELEASES, crdSchema, crdValidator, IRSO_RELEASES } from "../../support/crd.ts";
import { ACCESS, anyHosts, deployed, pivotSite, planOf, spare } from "./_hosts.ts";

/** A deployed host whose node is set up as BMO would do it from the manifest. */
const ready = (spec: Record<string, unknown> = {}, node: Parameters<typeof deployed>[1] = {}) =>
	deployed(spec, {
		driver_info: {
			redfish_address: "http://192.168.222.1:8000",
			redfish_system_id: "/redfish/v1/Systems/cp-0",
		},
		boot_interface: "ipxe",
		...node,
	});

const lossless = () => ({
	...spare(),
	node: {
		...(spare().node as NonNullable<ReturnType<typeof spare>["node"]>),
		driver_info: {
			redfish_address: "http://192.168.222.1:8000",
			redfish_system_id: "/redfish/v1/Systems/cp-0",
		},
	},
});

interface HostBody {
	readonly online: boolean;
	readonly externallyProvisioned?: boolean;
	readonly image?: { readonly url: string };
	readonly bootMACAddress?: string;
	readonly bmc?: { readonly address: string };
}
interface StatusBody {
	readonly lastUpdated: string;
	readonly poweredOn: boolean;
	readonly operationalStatus: string;
	readonly provisioning: {
		readonly state: string;
		readonly bootMode: string;
		readonly image?: { readonly url: string };
	};
}
const specOf = ({ object }: PlannedHost) => object.spec as HostBody;
const statusOf = ({ status }: PlannedHost) => status as unknown as StatusBody;

test("what is handed over first runs nothing, unless another canary is named", (t) => {
	const hosts = [ready(), lossless()];
	t.deepEqual(
		planOf(hosts).hosts.map(({ name }) => name),
		["spare-0", "cp-0"],
	);
	t.deepEqual(
		planOf(hosts, { canary: "metal3/cp-0" }).hosts.map(({ name }) => name),
		["cp-0", "spare-0"],
	);
});

test("the plan says what stays here and why, and how the target's Ironic differs", (t) => {
	const { differences, stays } = planOf([ready()]);
	t.deepEqual(
		stays.map(({ what }) => what),
		["Secret metal3/cp-0-user-data", "Ironic's database"],
	);
	t.deepEqual(differences, [
		{ path: "spec.apiCredentialsName", here: undefined, target: "ironic-api-credentials" },
		{
			path: "spec.extraConfig",
			here: undefined,
			target: [{ group: "conductor", name: "force_power_state_during_sync", value: "false" }],
		},
		{ path: "spec.networking.interface", here: "br-prov", target: undefined },
		{ path: "spec.networking.ipAddress", here: "172.22.0.1", target: "172.22.0.2" },
		{ path: "spec.tls", here: undefined, target: { certificateName: "ironic-tls" } },
	]);
});

test("with an Ironic of the target's own, none is written, and no Secret of one", (t) => {
	const plan = planOf([ready()], { ownIronic: true });
	t.is(plan.ironic, undefined);
	t.deepEqual(
		plan.secrets.map(({ metadata }) => metadata.name),
		["cp-0-bmc", "cp-0-net"],
	);
});

test("settings of a node that a BareMetalHost has no place for are refused, unless the loss is accepted", (t) => {
	const host = ready(
		{},
		{
			driver_info: {
				redfish_address: "http://192.168.222.1:8000",
				redfish_system_id: "/redfish/v1/Systems/cp-0",
				redfish_auth_type: "session",
				kernel_append_params: "quiet",
			},
		},
	);
	const [fault] = faultsOf(t.throws(() => planOf([host])));
	t.is(fault?.code, "pivot-lossy");
	t.is(fault?.seen, "a BareMetalHost has no place for driver_info kernel_append_params, redfish_auth_type");
	t.notThrows(() => planOf([host], { allowLossy: true }));
});

test("what a failed deployment left on the node is no loss", (t) => {
	const { node } = ready();
	const host = ready({}, { driver_info: { ...node?.driver_info, fast_track: false } });
	t.notThrows(() => planOf([host]));
});

test("another way to the BMC than the manifest's is refused", (t) => {
	const host = ready(
		{},
		{
			driver_info: {
				redfish_address: "https://192.168.222.1:8000",
				redfish_system_id: "/redfish/v1/Systems/cp-0",
			},
		},
	);
	t.deepEqual(
		faultsOf(t.throws(() => planOf([host]))).map(({ code }) => code),
		["pivot-lossy"],
	);
});

test("a lease of ours that ends is refused; one without end, or of a server that is off, is not", (t) => {
	const text = [
		"1785664800 52:54:00:ab:00:01 172.22.0.110 cp-0 *",
		"0 52:54:00:ab:00:02 172.22.0.111 * *",
		"duid 00:01:00:01",
	].join("\n");
	const now = 1785661200;
	const on = ready();
	const [lease] = leaseDependences([on], parseLeases(text), now);
	t.deepEqual(lease, {
		expires: 1785664800,
		mac: "52:54:00:ab:00:01",
		address: "172.22.0.110",
		host: "metal3/cp-0",
	});
	const [fault] = faultsOf(t.throws(() => planOf([on], { leases: lease === undefined ? [] : [lease] })));
	t.is(fault?.code, "pivot-dhcp-dependence");
	t.is(fault?.seen, "52:54:00:ab:00:01 has 172.22.0.110 until 2026-08-02T10:00:00.000Z");
	t.deepEqual(leaseDependences([ready({}, { power_state: "power off" })], parseLeases(text), now), []);
	t.deepEqual(leaseDependences([on], parseLeases(text), 1785664801), [], "it has ended");
	t.notThrows(() => planOf([on], { leases: [{ ...(lease as NonNullable<typeof lease>), expires: 0 }] }));
});

test("a target's Ironic that serves DHCP reserves the addresses that servers were leased without end", (t) => {
	const host = ready();
	const dhcp = { networkCIDR: "172.22.0.0/24", rangeBegin: "172.22.0.100", rangeEnd: "172.22.0.150" };
	const networking = { ipAddress: "172.22.0.2", interface: null };
	const hostsOf = (addresses: readonly KeptAddress[] | undefined, target: object) => {
		const stored = host.stored === undefined ? undefined : { ...host.stored, addresses };
		const { ironic } = planOf([{ ...host, stored }], { site: pivotSite([host], { networking: target }) });
		return (ironic?.spec as IronicSpec | undefined)?.networking.dhcp?.hosts;
	};
	const kept = [{ mac: "52:54:00:ab:00:01", address: "172.22.0.110" }];
	t.deepEqual(hostsOf(kept, { ...networking, dhcp }), ["52:54:00:ab:00:01,172.22.0.110,infinite"]);
	t.deepEqual(hostsOf(kept, { ...networking, dhcp: { ...dhcp, hosts: ["52:54:00:AB:00:01,cp-0"] } }), [
		"52:54:00:AB:00:01,cp-0",
	]);
	t.is(hostsOf(undefined, { ...networking, dhcp }), undefined);
	t.is(hostsOf(kept, networking), undefined);
});

for (const [why, node] of Object.entries({
	"in maintenance": { maintenance: true, maintenance_reason: "disk" },
	locked: { reservation: "bootstrap" },
	"on its way": { target_provision_state: "active" },
	"switching power": { target_power_state: "power on" },
	faulty: { fault: "power failure" },
	"of unknown power": { power_state: null },
	"in a state that passes": { provision_state: "cleaning" as const },
	"failed last": { last_error: "boom" },
}))
	test(`invariant 8: a node that is ${why} is refused`, (t) => {
		const faults = faultsOf(t.throws(() => planOf([ready({}, node)])));
		t.true(faults.some(({ code }) => code === "pivot-host-not-ready"));
	});

test("invariant 3: every host is created paused, and external or with a whole status", (t) => {
	fc.assert(
		fc.property(anyHosts, fc.constantFrom("external" as const, "provisioned" as const), (hosts, as) => {
			const takeOver = hosts.some(
				({ stored }) => stored?.status.provisioning.state === "externally provisioned",
			)
				? "external"
				: as;
			for (const host of planOf(hosts, { as: takeOver }).hosts) {
				const { annotations = {} } = host.object.metadata;
				t.is(annotations["baremetalhost.metal3.io/paused"], "ironstrap.io/c0ffee01");
				t.deepEqual(JSON.parse(annotations["baremetalhost.metal3.io/status"] ?? ""), host.status);
			}
		}),
	);
});

test("invariants 5 and 6: image URLs are equal, online is the observed power, externallyProvisioned follows the state", (t) => {
	fc.assert(
		fc.property(anyHosts, (hosts) => {
			for (const host of planOf(hosts).hosts) {
				const [spec, status] = [specOf(host), statusOf(host)];
				t.is(spec.online, status.poweredOn);
				t.is(spec.externallyProvisioned === true, status.provisioning.state === "externally provisioned");
				if (status.provisioning.state === "provisioned")
					t.is(spec.image?.url, status.provisioning.image?.url);
			}
		}),
	);
});

test("invariant 9: one node, one host, one Secret; no MAC address and no BMC twice", (t) => {
	fc.assert(
		fc.property(anyHosts, (hosts) => {
			const plan = planOf(hosts);
			const distinct = (values: readonly unknown[]) => new Set(values).size === values.length;
			t.is(plan.hosts.length, hosts.length);
			t.true(distinct(plan.hosts.map(({ node }) => node)));
			t.true(distinct(plan.hosts.map((host) => specOf(host).bootMACAddress)));
			t.true(distinct(plan.hosts.map((host) => specOf(host).bmc?.address)));
			for (const { name } of plan.hosts)
				t.is(plan.secrets.filter(({ metadata }) => metadata.name === `${name}-bmc`).length, 1);
		}),
	);
});

test("invariants 10 and 14: every release's CRD takes host, status and HardwareData, and knows every field", (t) => {
	const checks = BMO_RELEASES.flatMap((release) =>
		(["BareMetalHost", "HardwareData"] as const).map((kind) => ({
			kind,
			release,
			validate: crdValidator(release, kind),
			schema: crdSchema(release, kind),
		})),
	);
	fc.assert(
		fc.property(anyHosts, (hosts) => {
			for (const { hardwareData, object, status } of planOf(hosts).hosts)
				for (const { kind, release, schema, validate } of checks) {
					const written = kind === "BareMetalHost" ? { ...object, status } : hardwareData;
					t.deepEqual(schemaFaults(schema as never, written), []);
					// the API server fills in the default of v0.14's required counter before it validates
					const count = release === "bmo-v0.14.0-rc.0" ? { provisioningFailCount: 0 } : {};
					const stored =
						kind === "BareMetalHost" ? { ...object, status: { ...status, ...count } } : hardwareData;
					t.deepEqual(validate(stored), []);
					t.true(typeof statusOf({ status } as unknown as PlannedHost).lastUpdated === "string");
				}
		}),
		{ numRuns: 20 },
	);
});

test("every release of the operator takes the target's Ironic", (t) => {
	const { ironic } = planOf([ready()]);
	for (const release of IRSO_RELEASES) {
		t.deepEqual(crdValidator(release, "Ironic")(ironic), []);
		t.deepEqual(schemaFaults(crdSchema(release, "Ironic") as never, ironic), []);
	}
});

test("invariant 10: all annotations together are far below 262,144 bytes", (t) => {
	fc.assert(
		fc.property(anyHosts, (hosts) => {
			for (const { object } of planOf(hosts).hosts) {
				const bytes = Object.entries(object.metadata.annotations ?? {}).reduce(
					(sum, [key, value]) => sum + Buffer.byteLength(key + value),
					0,
				);
				t.true(bytes < 26_214);
			}
		}),
	);
});

test("invariant 15: passwords are in Secrets alone; no user data, no mask", (t) => {
	fc.assert(
		fc.property(anyHosts, (hosts) => {
			const plan = planOf(hosts);
			const others = JSON.stringify({ ...plan, secrets: [] });
			for (const word of ["bmc-pw-", ACCESS.credentials.password, ACCESS.tls.key])
				t.false(others.includes(word));
			const decoded = plan.secrets.flatMap(({ data }) =>
				Object.values((data ?? {}) as Record<string, string>).map((text) =>
					Buffer.from(text, "base64").toString(),
				),
			);
			t.false(decoded.some((text) => text.includes("kubeadm join") || text === "******"));
		}),
	);
});

test("the same inputs give the same plan, and every object of it carries the run's name", (t) => {
	fc.assert(
		fc.property(anyHosts, (hosts) => {
			t.deepEqual(planOf(hosts), planOf(hosts));
			for (const { metadata } of objectsOf(planOf(hosts)))
				t.is(metadata.labels?.["ironstrap.io/run"], "c0ffee01");
		}),
		{ numRuns: 30 },
	);
});

test("namespaces of the hosts and of the Ironic are the plan's", (t) => {
	t.deepEqual(planOf([ready()], { site: pivotSite([ready()]) }).namespaces, ["metal3"]);
});
