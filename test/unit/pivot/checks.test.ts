import test from "ava";
import type { KubeObject } from "../../../src/kube/objects.ts";
import { targetNotes, targetRefusals } from "../../../src/pivot/preflight.ts";
import type { TargetFacts } from "../../../src/pivot/target-facts.ts";
import type { CrdSchema } from "../../../src/resources/crd-schema.ts";
import { crdSchema } from "../../support/crd.ts";
import { deployed, pivotSite, planOf } from "./_hosts.ts";

const HOST = deployed(
	{},
	{
		driver_info: {
			redfish_address: "http://192.168.222.1:8000",
			redfish_system_id: "/redfish/v1/Systems/cp-0",
		},
		boot_interface: "ipxe",
	},
);
const PLAN = planOf([HOST]);
const SITE = pivotSite([HOST]);

const operator = (name: string, image: string, readyReplicas = 1): KubeObject => ({
	apiVersion: "apps/v1",
	kind: "Deployment",
	metadata: { name, namespace: "metal3-system" },
	spec: {
		template: {
			spec: {
				containers: [
					{ name: "proxy", image: "proxy:1" },
					{ name: "manager", image },
				],
			},
		},
	},
	status: { readyReplicas },
});
const BMO = operator("bmo", "quay.io/metal3-io/baremetal-operator:v0.13.2");
const IRSO = operator("irso", "quay.io/metal3-io/ironic-standalone-operator:v0.11.0");

const node = (name: string, spec: object = {}, ready = "True"): KubeObject => ({
	apiVersion: "v1",
	kind: "Node",
	metadata: { name },
	spec,
	status: { conditions: [{ type: "Ready", status: ready }] },
});

/** A target that can take everything, but for what is changed. */
function facts(changes: Partial<TargetFacts> = {}): TargetFacts {
	return {
		server: "https://192.0.2.1:6443",
		version: "v1.31.2",
		denied: [],
		namespaces: ["metal3"],
		schemas: {
			BareMetalHost: crdSchema("bmo-v0.13.2", "BareMetalHost"),
			HardwareData: crdSchema("bmo-v0.13.2", "HardwareData"),
			Ironic: crdSchema("irso-v0.11.0", "Ironic"),
		},
		hosts: [],
		existing: [],
		nodes: [node("n-0")],
		deployments: [BMO, IRSO],
		webhook: true,
		refused: [],
		untried: [],
		...changes,
	};
}

const found = (changes: Partial<TargetFacts>, plan = PLAN, site = SITE) =>
	targetRefusals(plan, facts(changes), site).map(({ code, fix, seen }) => ({ code, seen, fix }));

test("a target that has everything is not refused, and nothing is left untold but the BMCs' network", (t) => {
	t.deepEqual(found({}), []);
	t.deepEqual(targetNotes(PLAN, facts()), [
		"not looked at: whether pods of the cluster reach the BMC and the image servers",
	]);
});

test("missing rights are told one by one, and nothing else is guessed at", (t) => {
	const denied = [
		{ kind: "BareMetalHost", verb: "patch", subresource: "status", namespace: "metal3" },
		{ kind: "Node", verb: "list" },
	] as const;
	t.deepEqual(found({ denied, deployments: [], nodes: [] }), [
		{
			code: "pivot-rights-missing",
			seen: "patch baremetalhosts/status in metal3, list nodes",
			fix: "have an administrator apply `ironstrap pivot rbac` and bind it to this user",
		},
	]);
});

test("a kind that is not served, and an operator that is missing, not ready or too old, are told", (t) => {
	t.deepEqual(
		found({ schemas: {}, deployments: [] }).map(({ code }) => code),
		Array.from({ length: 5 }, () => "pivot-target-unfit"),
	);
	const old = operator("bmo", "quay.io/metal3-io/baremetal-operator:v0.10.2");
	t.deepEqual(found({ deployments: [old, IRSO] }), [
		{
			code: "pivot-target-unfit",
			seen: "quay.io/metal3-io/baremetal-operator:v0.10.2",
			fix: "update it to v0.11 or later",
		},
	]);
	t.is(
		found({ deployments: [operator("bmo", "r/baremetal-operator@sha256:abc", 0), IRSO] })[0]?.seen,
		"Deployment metal3-system/bmo has no ready replica",
	);
	t.deepEqual(found({ deployments: [operator("bmo", "r/baremetal-operator@sha256:abc"), IRSO] }), []);
});

test("a field that the target's release does not know is refused before it would be dropped without a word", (t) => {
	const { properties, ...schema } = crdSchema("bmo-v0.11.0", "BareMetalHost");
	const { spec, ...others } = properties as Record<string, CrdSchema>;
	const { disablePowerOff: _later, ...older } = (spec as CrdSchema).properties ?? {};
	const BareMetalHost = {
		...schema,
		properties: { ...others, spec: { ...spec, properties: older } },
	} as CrdSchema;
	t.deepEqual(
		found({ schemas: { ...facts().schemas, BareMetalHost } }).map(({ seen }) => seen),
		["spec.disablePowerOff: this release does not know the field"],
	);
});

test("invariant 17: an object of the same name, a foreign pause and the same server under another name are refused", (t) => {
	const other = (name: string, spec: object, labels?: Record<string, string>): KubeObject => ({
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: {
			name,
			namespace: "metal3",
			annotations: { "baremetalhost.metal3.io/paused": "somebody" },
			...(labels === undefined ? {} : { labels }),
		},
		spec,
	});
	t.deepEqual(
		found({ existing: [other("cp-0", {}), other("cp-0", {}, { "ironstrap.io/run": "another" })] }).map(
			({ seen }) => seen,
		),
		["it was not made by a hand-over", "it was made by hand-over another"],
	);
	const hosts = [
		other("a", { bootMACAddress: "52:54:00:AB:00:01" }),
		other("b", {
			bmc: { address: "redfish-virtualmedia+http://192.168.222.1:8000/redfish/v1/Systems/cp-0" },
		}),
		other("c", { bmc: { address: "redfish+http://192.168.222.1:8000/redfish/v1/Systems/cp-1" } }),
		other("d", { bootMACAddress: "52:54:00:ab:00:01" }, { "ironstrap.io/run": "c0ffee01" }),
	];
	t.deepEqual(
		found({ hosts }).map(({ code, seen }) => [code, seen]),
		[
			["pivot-target-taken", "the same boot MAC address 52:54:00:ab:00:01"],
			[
				"pivot-target-taken",
				"the same BMC redfish-virtualmedia+http://192.168.222.1:8000/redfish/v1/Systems/cp-0",
			],
		],
	);
});

test("a cluster of tainted control-plane nodes alone is refused with the exact command", (t) => {
	const taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
	const nodes = [node("cp-0", { taints: [taint] }), node("cp-1", {}, "False")];
	t.deepEqual(found({ nodes }), [
		{
			code: "pivot-placement",
			seen: "cp-0: tainted node-role.kubernetes.io/control-plane:NoSchedule; cp-1: not ready",
			fix: "kubectl taint nodes cp-0 node-role.kubernetes.io/control-plane:NoSchedule-",
		},
	]);
	t.is(
		found({ nodes: [node("cp-0", { unschedulable: true, taints: [taint] })] })[0]?.fix,
		"kubectl uncordon cp-0 && kubectl taint nodes cp-0 node-role.kubernetes.io/control-plane:NoSchedule-",
	);
	t.deepEqual(found({ nodes, deployments: [BMO] }, planOf([HOST], { ownIronic: true })), []);
});

test("the target's Ironic must not take this machine's address or interface", (t) => {
	const site = pivotSite([HOST], {});
	t.deepEqual(
		found({}, planOf([HOST], { site }), site).map(({ code, seen }) => [code, seen]),
		[
			["pivot-ironic-address", 'ipAddress: "172.22.0.1"'],
			["pivot-ironic-address", 'interface: "br-prov"'],
		],
	);
});

test("what the API server refuses when it is asked to try is told with its words", (t) => {
	const object = { apiVersion: "v1", kind: "Secret", namespace: "metal3", name: "cp-0-bmc" };
	t.deepEqual(
		found({ refused: [{ object, why: "HTTP 403 denied by policy" }] }).map(({ code, seen }) => [code, seen]),
		[["pivot-object-refused", "HTTP 403 denied by policy"]],
	);
});

test("without a webhook, and without the namespace, the notes say what was not tried", (t) => {
	t.is(targetNotes(PLAN, facts({ webhook: false, namespaces: [] })).length, 3);
});
