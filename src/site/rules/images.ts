import { parseImageReference } from "../../resources/image-reference.ts";
import type { Path } from "../document.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import type { SiteObject } from "../kinds.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** The names of container images are such that an engine takes them; whether they are there is this machine's affair. */
export const images: SiteRule = function* (draft) {
	for (const ironic of draft.ironics)
		for (const field of ["ironic", "deployRamdiskDownloader", "keepalived"] as const)
			yield* reference(draft, ironic, ["spec", "images", field], ironic.spec.images[field]);
	for (const bootstrap of draft.bootstraps)
		for (const field of ["ironic", "mariadb"] as const)
			yield* reference(draft, bootstrap, ["spec", "images", field], bootstrap.spec.images[field]);
};

function* reference(
	draft: Draft,
	object: SiteObject,
	path: Path,
	text: string | undefined,
): Iterable<Finding> {
	if (!text) return;
	try {
		parseImageReference(text);
	} catch (error) {
		yield on(draft, object, path, "image-reference-invalid", {
			message: `\`${path.slice(1).join(".")}\` ${(error as Error).message}`,
			// a name and password in front of the registry would be one more `@`
			seen: text.includes("@") ? undefined : text,
			fix: "give [REGISTRY/]NAME[:TAG][@sha256:DIGEST], such as quay.io/metal3-io/ironic:latest",
		});
	}
}
