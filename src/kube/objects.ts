/** Any Kubernetes object, as far as every one is alike. */
export interface KubeObject {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: KubeMeta;
	readonly [field: string]: unknown;
}

export interface KubeMeta {
	readonly name: string;
	readonly namespace?: string;
	readonly uid?: string;
	readonly resourceVersion?: string;
	readonly labels?: Readonly<Record<string, string>>;
	readonly annotations?: Readonly<Record<string, string>>;
	readonly finalizers?: readonly string[];
	readonly deletionTimestamp?: string;
	readonly [field: string]: unknown;
}

/** What names one object. */
export interface KubeRef {
	readonly apiVersion: string;
	readonly kind: string;
	readonly namespace?: string | undefined;
	readonly name: string;
}

/** A kind that the pivot knows: where its objects are, and whether they live in a namespace. */
export interface Resource {
	/** Empty for the core group. */
	readonly group: string;
	readonly version: string;
	/** `baremetalhosts`: the plural, as it stands in a URL and in a role. */
	readonly plural: string;
	readonly namespaced: boolean;
}

const resource = (apiVersion: string, plural: string, namespaced = true): Resource => {
	const [first = "", second] = apiVersion.split("/");
	return second === undefined
		? { group: "", version: first, plural, namespaced }
		: { group: first, version: second, plural, namespaced };
};

/** By kind; a closed list, so that nothing else can be asked for by mistake. */
export const RESOURCES = {
	Namespace: resource("v1", "namespaces", false),
	Node: resource("v1", "nodes", false),
	Pod: resource("v1", "pods"),
	Secret: resource("v1", "secrets"),
	ConfigMap: resource("v1", "configmaps"),
	Deployment: resource("apps/v1", "deployments"),
	CustomResourceDefinition: resource("apiextensions.k8s.io/v1", "customresourcedefinitions", false),
	ValidatingWebhookConfiguration: resource(
		"admissionregistration.k8s.io/v1",
		"validatingwebhookconfigurations",
		false,
	),
	SelfSubjectAccessReview: resource("authorization.k8s.io/v1", "selfsubjectaccessreviews", false),
	BareMetalHost: resource("metal3.io/v1alpha1", "baremetalhosts"),
	HardwareData: resource("metal3.io/v1alpha1", "hardwaredata"),
	Ironic: resource("ironic.metal3.io/v1alpha1", "ironics"),
} as const satisfies Readonly<Record<string, Resource>>;

export type KnownKind = keyof typeof RESOURCES;

export function resourceOf(kind: string): Resource {
	const found: Resource | undefined = (RESOURCES as Readonly<Record<string, Resource>>)[kind];
	if (found === undefined) throw new TypeError(`the kind ${kind} is not in src/kube/objects.ts`);
	return found;
}

/** `/apis/metal3.io/v1alpha1/namespaces/metal3/baremetalhosts`, with the name where there is one. */
export function pathOf(kind: string, namespace?: string, name?: string): string {
	const { group, namespaced, plural, version } = resourceOf(kind);
	const parts = [
		group === "" ? `/api/${version}` : `/apis/${group}/${version}`,
		...(namespaced && namespace !== undefined ? ["namespaces", encodeURIComponent(namespace)] : []),
		plural,
		...(name === undefined ? [] : [encodeURIComponent(name)]),
	];
	return parts.join("/");
}

/** `BareMetalHost metal3/cp-0`: how messages name an object. */
export function refText({ kind, name, namespace }: Pick<KubeRef, "kind" | "name" | "namespace">): string {
	return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

export function refOf({ apiVersion, kind, metadata }: KubeObject): KubeRef {
	return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
}
