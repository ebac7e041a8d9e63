import type { Bootstrap } from "./bootstrap.ts";
import { type Ironic, ironicSchema } from "./ironic.ts";
import { mergePatch } from "./merge-patch.ts";

/**
 * The `Ironic` that the target cluster gets: the site's own with `Bootstrap.spec.target.ironic` laid over its `spec`.
 * A `ZodError` says where the result is no `Ironic`; the linter has made sure that it is one.
 */
export function targetIronic(ironic: Ironic, bootstrap: Bootstrap): Ironic {
	return ironicSchema.parse(targetManifest(ironic, bootstrap));
}

/** The same, not checked. */
export function targetManifest(ironic: Ironic, bootstrap: Bootstrap): unknown {
	const { status: _, ...rest } = ironic;
	return { ...rest, spec: mergePatch(ironic.spec, bootstrap.spec.target.ironic) };
}
