import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { ObjectRef } from "../resources/site.ts";

/** `BareMetalHost metal3/cp-0` as a reference. */
export function refOf({ metadata }: BareMetalHost): ObjectRef {
	return { kind: "BareMetalHost", namespace: metadata.namespace, name: metadata.name };
}

/**
 * The name of the host's Ironic node: `metal3~cp-0`, as BMO names it, so that the target's BMO finds its own.
 * https://github.com/metal3-io/baremetal-operator/pull/797
 */
export function nodeNameOf({ metadata }: BareMetalHost): string {
	return `${metadata.namespace}~${metadata.name}`;
}
