import type { KubeClient, KubeRight } from "../kube/client.ts";
import { type KubeObject, type KubeRef, refOf, refText } from "../kube/objects.ts";
import { faultsOf } from "../lib/errors.ts";
import type { CrdSchema } from "../resources/crd-schema.ts";
import { rightsFor } from "./permissions.ts";
import type { PivotPlan } from "./plan.ts";

/** What was seen of the target; reading it changes nothing there. */
export interface TargetFacts {
	readonly server: string;
	readonly version: string;
	readonly denied: readonly KubeRight[];
	/** Those of the plan's that exist. */
	readonly namespaces: readonly string[];
	/** By kind: the schema of the version that the plan writes; absent when it is not served. */
	readonly schemas: Readonly<Record<string, CrdSchema | undefined>>;
	/** All in the cluster. */
	readonly hosts: readonly KubeObject[];
	/** Objects that have a name of the plan's, without their data. */
	readonly existing: readonly KubeObject[];
	readonly nodes: readonly KubeObject[];
	readonly deployments: readonly KubeObject[];
	/** A validating webhook looks at BareMetalHosts. */
	readonly webhook: boolean;
	/** What the API server says to each object of the plan, without writing it. */
	readonly refused: readonly { readonly object: KubeRef; readonly why: string }[];
	/** Objects that could not be tried, because their namespace does not exist yet. */
	readonly untried: readonly KubeRef[];
}

/** CustomResourceDefinitions that the plan's objects need. */
const CRDS: Readonly<Record<string, string>> = {
	BareMetalHost: "baremetalhosts.metal3.io",
	HardwareData: "hardwaredata.metal3.io",
	Ironic: "ironics.ironic.metal3.io",
};

const VERSION = "v1alpha1";

/** Everything that a plan writes, in the order in which it does. */
export function objectsOf({ hosts, ironic, secrets }: PivotPlan): readonly KubeObject[] {
	return [
		...secrets,
		...hosts.flatMap(({ hardwareData }) => hardwareData ?? []),
		...hosts.map(({ object }) => object),
		...(ironic === undefined ? [] : [ironic]),
	];
}

/**
 * Looks at the target. Without a right that it needs it stops at the rights: everything else would be a guess. The
 * dry run of every object asks schema, admission and other owners of fields all at once.
 */
export async function lookAtTarget(
	kube: KubeClient,
	plan: PivotPlan,
	signal: AbortSignal,
): Promise<TargetFacts> {
	const options = { signal };
	const version = await kube.version(options);
	const rights = rightsFor(plan.namespaces);
	const allowed = await Promise.all(rights.map((right) => kube.mayI(right, options)));
	const denied = rights.filter((_right, index) => allowed[index] !== true);
	const nothing = { hosts: [], existing: [], nodes: [], deployments: [], refused: [], untried: [] };
	const start = { server: kube.server, version, denied, namespaces: [], schemas: {}, webhook: false };
	if (denied.length > 0) return { ...start, ...nothing };
	const schemas = Object.fromEntries(
		await Promise.all(
			Object.entries(CRDS).map(async ([kind, name]) => [kind, await schemaOf(kube, name, signal)]),
		),
	) as TargetFacts["schemas"];
	const found = await Promise.all(
		plan.namespaces.map((name) => kube.get({ apiVersion: "v1", kind: "Namespace", name }, options)),
	);
	const namespaces = found.flatMap((namespace) => namespace?.metadata.name ?? []);
	const hosts =
		schemas.BareMetalHost === undefined ? [] : await kube.list("BareMetalHost", undefined, options);
	const known = objectsOf(plan).filter(({ kind }) => !(kind in CRDS) || schemas[kind] !== undefined);
	const reachable = known.filter(({ metadata }) => namespaces.includes(metadata.namespace ?? ""));
	const existing = await Promise.all(reachable.map((object) => kube.get(refOf(object), options)));
	return {
		...start,
		schemas,
		namespaces,
		hosts,
		existing: existing.flatMap((object) => (object === undefined ? [] : [withoutData(object)])),
		nodes: await kube.list("Node", undefined, options),
		deployments: await kube.list("Deployment", undefined, options),
		webhook: (await kube.list("ValidatingWebhookConfiguration", undefined, options)).some(looksAtHosts),
		refused: await tryAll(kube, reachable, signal),
		untried: known.filter((object) => !reachable.includes(object)).map(refOf),
	};
}

/** What the API server refuses of these, and why; writes nothing. */
export async function tryAll(
	kube: KubeClient,
	objects: readonly KubeObject[],
	signal: AbortSignal,
): Promise<TargetFacts["refused"]> {
	const answers = await Promise.all(
		objects.map(async (object) => {
			try {
				await kube.apply(object, { dryRun: true, signal });
				return [];
			} catch (error) {
				signal.throwIfAborted();
				const [fault] = faultsOf(error);
				if (fault?.code === "kube-unreachable" || fault?.code === "kube-unauthorized") throw error;
				return [{ object: refOf(object), why: fault?.seen ?? fault?.message ?? refText(refOf(object)) }];
			}
		}),
	);
	return answers.flat();
}

async function schemaOf(kube: KubeClient, name: string, signal: AbortSignal): Promise<CrdSchema | undefined> {
	const ref = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name };
	const crd = (await kube.get(ref, { signal })) as
		| (KubeObject & { readonly spec?: { readonly versions?: readonly CrdVersion[] } })
		| undefined;
	return crd?.spec?.versions?.find(({ name: version, served }) => version === VERSION && served)?.schema
		?.openAPIV3Schema;
}

interface CrdVersion {
	readonly name: string;
	readonly served: boolean;
	readonly schema?: { readonly openAPIV3Schema?: CrdSchema };
}

function looksAtHosts(configuration: KubeObject): boolean {
	const webhooks = (configuration.webhooks ?? []) as readonly {
		readonly rules?: readonly {
			readonly apiGroups?: readonly string[];
			readonly resources?: readonly string[];
		}[];
	}[];
	return webhooks.some(({ rules = [] }) =>
		rules.some(
			({ apiGroups = [], resources = [] }) =>
				apiGroups.includes("metal3.io") && resources.includes("baremetalhosts"),
		),
	);
}

/** Somebody else's Secret may have a name of ours: its data are nobody's business. */
function withoutData({ data: _data, stringData: _stringData, ...object }: KubeObject): KubeObject {
	return object;
}
