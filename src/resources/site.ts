import type { SourceRef } from "../lib/errors.ts";
import type { BareMetalHost } from "./bare-metal-host.ts";
import type { Bootstrap } from "./bootstrap.ts";
import type { ConfigMap, Secret } from "./core.ts";
import type { HardwareData } from "./hardware-data.ts";
import type { Ironic } from "./ironic.ts";

/**
 * What the user declares, read and validated: every reference between the objects resolves, defaults are
 * filled in (`Bootstrap` and the CRD defaults of `Ironic`), Secrets are decoded to plain strings.
 */
export interface Site {
	/** Names the stack on this machine: `Bootstrap.metadata.name`, else `Ironic.metadata.name`. */
	readonly name: string;
	readonly ironic: Ironic;
	readonly bootstrap: Bootstrap;
	readonly hosts: readonly BareMetalHost[];
	readonly hardwareData: readonly HardwareData[];
	readonly secrets: readonly Secret[];
	readonly configMaps: readonly ConfigMap[];
	/** Where a value of an object stands in the user's text; the object's own place when the path is absent. */
	readonly locate: (object: ObjectRef, path?: readonly (string | number)[]) => SourceRef | undefined;
}

export interface ObjectRef {
	readonly kind: string;
	readonly namespace: string;
	readonly name: string;
}

/** `BareMetalHost metal3/cp-0`: how messages name an object. */
export function describe(object: ObjectRef): string {
	return `${object.kind} ${object.namespace}/${object.name}`;
}
