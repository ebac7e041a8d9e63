import type { ObjectRef, Site } from "../resources/site.ts";

/** The one object of its kind that a site has. */
export function refOf(site: Site, kind: "Ironic" | "Bootstrap"): ObjectRef {
	const { name, namespace } = (kind === "Ironic" ? site.ironic : site.bootstrap).metadata;
	return { kind, namespace, name };
}
