import type { KubeObject } from "../kube/objects.ts";
import { IronstrapErrors } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";
import { driverFaults } from "./driver-loss.ts";
import type { HostExport, TakeOver } from "./host-export.ts";
import { type LeaseDependence, leaseFaults } from "./lease-dependence.ts";
import { withoutUndefined } from "./plain.ts";
import { refusals } from "./readiness.ts";
import { targetHardwareData, targetHost, targetStatus } from "./target-host.ts";
import { type Difference, ironicDifferences, targetIronic } from "./target-ironic.ts";
import { type IronicAccess, targetSecrets } from "./target-secrets.ts";

/** One host's way into the target. */
export interface PlannedHost {
	readonly namespace: string;
	readonly name: string;
	/** The node in the source's Ironic: its UUID. */
	readonly node: string;
	/** Whether the node is `active`: only then Ironic takes `protected`. */
	readonly active: boolean;
	/** Created paused, with its status as annotation. */
	readonly object: KubeObject;
	readonly status: Readonly<Record<string, unknown>>;
	/** What inspection found; `undefined` for a host that was never inspected. */
	readonly hardwareData: KubeObject | undefined;
}

/** Something that is left behind on purpose. */
export interface Staying {
	readonly what: string;
	readonly why: string;
}

/**
 * Everything that a hand-over writes, decided before anything is written; a resumed run follows it to the letter,
 * because the source cannot be asked any more. Holds Secrets.
 */
export interface PivotPlan {
	readonly formatVersion: 1;
	readonly run: string;
	/** RFC 3339, UTC. */
	readonly createdAt: string;
	readonly site: string;
	readonly as: TakeOver;
	readonly namespaces: readonly string[];
	/** Secrets and ConfigMaps. */
	readonly secrets: readonly KubeObject[];
	/** In the order in which they are let go: the first is the canary. */
	readonly hosts: readonly PlannedHost[];
	/** `undefined`: the target's own Ironic is used as it is. */
	readonly ironic: KubeObject | undefined;
	/** How the target's Ironic differs from the site's. */
	readonly differences: readonly Difference[];
	readonly stays: readonly Staying[];
}

export interface PlanInput {
	readonly site: Site;
	readonly hosts: readonly HostExport[];
	readonly access: IronicAccess;
	readonly leases: readonly LeaseDependence[];
	readonly runId: string;
	readonly createdAt: string;
	readonly as: TakeOver;
	/** The target runs an Ironic already, which is to take the hosts. */
	readonly ownIronic: boolean;
	/** `NAMESPACE/NAME` of the host that is let go first. */
	readonly canary?: string | undefined;
	/** Take over although a BareMetalHost has no place for something that the node is set to. */
	readonly allowLossy: boolean;
}

/** Pure. Throws IronstrapErrors with every reason of every host that cannot be handed over now. */
export function planPivot(input: PlanInput): PivotPlan {
	const { access, allowLossy, as, canary, createdAt, hosts, leases, ownIronic, runId, site } = input;
	const faults = [
		...hosts.flatMap((subject) => [
			...refusals(subject, site, as),
			...(allowLossy ? [] : driverFaults(subject, site)),
		]),
		...leaseFaults(leases),
	];
	if (faults.length > 0) throw new IronstrapErrors(faults);
	const ready = hosts.flatMap((subject) => {
		const { node, stored } = subject;
		return stored === undefined || node === undefined ? [] : [{ ...subject, stored, node }];
	});
	const run = { id: runId, createdAt };
	const kept = ready.flatMap(({ stored }) => stored.addresses ?? []);
	const planned = ready.map((subject): PlannedHost => {
		const { host, node } = subject;
		return {
			namespace: host.metadata.namespace,
			name: host.metadata.name,
			node: node.uuid,
			active: node.provision_state === "active",
			object: plain(targetHost(subject, as, run)),
			status: { ...targetStatus(subject, as, createdAt) },
			hardwareData: asObject(targetHardwareData(subject, runId)),
		};
	});
	return {
		formatVersion: 1,
		run: runId,
		createdAt,
		site: site.name,
		as,
		namespaces: namespacesOf(site, planned, ownIronic),
		secrets: targetSecrets(site, hosts, access, runId, { ironic: !ownIronic }).map(encoded),
		hosts: inOrder(planned, canary),
		ironic: ownIronic ? undefined : plain(targetIronic(site, runId, kept)),
		differences: ownIronic ? [] : ironicDifferences(site, kept),
		stays: staying(site),
	};
}

function namespacesOf(site: Site, hosts: readonly PlannedHost[], ownIronic: boolean): readonly string[] {
	const all = hosts.map(({ namespace }) => namespace);
	return [...new Set(ownIronic ? all : [site.ironic.metadata.namespace, ...all])].sort();
}

/**
 * The canary, then hosts that run nothing, then the others as they were declared: what goes wrong should go wrong where
 * it hurts least. One after the other, so that etcd's quorum is never at stake.
 */
function inOrder(hosts: readonly PlannedHost[], canary: string | undefined): readonly PlannedHost[] {
	const rank = ({ name, namespace, status }: PlannedHost) => {
		if (canary === `${namespace}/${name}`) return 0;
		const { provisioning } = status as { readonly provisioning?: { readonly state?: string } };
		return provisioning?.state === "available" ? 1 : 2;
	};
	return [...hosts].sort((a, b) => rank(a) - rank(b));
}

function staying({ hosts, hardwareData, secrets }: Site): readonly Staying[] {
	const names = (hostsOf: typeof hosts) =>
		hostsOf.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
	const withoutBmc = names(hosts.filter(({ spec }) => spec.bmc === undefined));
	const withUserData = hosts.filter(({ spec }) => spec.userData !== undefined);
	const userData = secrets.filter(({ metadata }) =>
		withUserData.some(
			({ metadata: { namespace }, spec }) =>
				namespace === metadata.namespace && spec.userData?.name === metadata.name,
		),
	);
	return [
		...withoutBmc.map((name) => ({
			what: `BareMetalHost ${name}`,
			why: "it has no BMC: nobody manages it",
		})),
		...userData.map(({ metadata: { name, namespace } }) => ({
			what: `Secret ${namespace}/${name}`,
			why: "user data hold join tokens: deployed again with them, a server would found a second cluster",
		})),
		...(hardwareData.length === 0
			? []
			: [{ what: "HardwareData of the manifests", why: "what inspection found is written instead" }]),
		{
			what: "Ironic's database",
			why: "BMO registers and adopts the servers anew; the volume stays here until `ironstrap down --purge`",
		},
	];
}

/** An API server keeps `data` only; what is compared later must be what it shows. */
function encoded(object: object): KubeObject {
	const { stringData, ...rest } = plain(object) as KubeObject & {
		readonly stringData?: Readonly<Record<string, string>>;
		readonly data?: Readonly<Record<string, string>>;
	};
	if (stringData === undefined) return rest;
	const texts = Object.entries(stringData).map(([key, value]) => [
		key,
		Buffer.from(value, "utf8").toString("base64"),
	]);
	return { ...rest, data: { ...rest.data, ...Object.fromEntries(texts) } };
}

function asObject(object: object | undefined): KubeObject | undefined {
	return object === undefined ? undefined : plain(object);
}

function plain(object: object): KubeObject {
	return withoutUndefined(object) as KubeObject;
}
