import type { KubeRight, KubeVerb } from "../kube/client.ts";

/** What a hand-over needs in each namespace of its hosts and of its Ironic; `ironstrap pivot rbac` grants the same. */
const IN_NAMESPACES: readonly (readonly [
	kind: string,
	verbs: readonly KubeVerb[],
	subresource?: "status",
])[] = [
	["Pod", ["list"]],
	["Secret", ["get", "create", "patch", "delete"]],
	["ConfigMap", ["get", "create", "patch", "delete"]],
	["BareMetalHost", ["get", "list", "create", "patch", "delete"]],
	["BareMetalHost", ["patch"], "status"],
	["HardwareData", ["get", "create", "patch", "delete"]],
	["Ironic", ["get", "create", "patch", "delete"]],
];

/** What it reads of the whole cluster. */
const EVERYWHERE: readonly (readonly [kind: string, verbs: readonly KubeVerb[]])[] = [
	["Namespace", ["get", "create", "patch"]],
	["Node", ["list"]],
	["Deployment", ["list"]],
	["CustomResourceDefinition", ["get"]],
	["ValidatingWebhookConfiguration", ["list"]],
	["BareMetalHost", ["list"]],
];

/** Every right that a hand-over into these namespaces uses. */
export function rightsFor(namespaces: readonly string[]): readonly KubeRight[] {
	return [
		...EVERYWHERE.flatMap(([kind, verbs]) => verbs.map((verb) => ({ kind, verb }))),
		...namespaces.flatMap((namespace) =>
			IN_NAMESPACES.flatMap(([kind, verbs, subresource]) =>
				verbs.map((verb) => ({
					kind,
					verb,
					namespace,
					...(subresource === undefined ? {} : { subresource }),
				})),
			),
		),
	];
}
