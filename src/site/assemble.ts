import { type Bootstrap, bootstrapSchema } from "../resources/bootstrap.ts";
import type { Ironic } from "../resources/ironic.ts";
import { describe, type Site } from "../resources/site.ts";
import type { SourceDocument } from "./document.ts";
import { type Draft, refOf } from "./draft.ts";
import { type Finding, failOnErrors } from "./finding.ts";
import { type LintOptions, lint } from "./lint.ts";

export interface LoadedSite {
	readonly site: Site;
	readonly warnings: readonly Finding[];
}

/**
 * Documents → site. Pure. Throws `IronstrapErrors` with all errors at once, those of `textFindings` (what
 * `parseDocuments` found) among them.
 */
export function assembleSite(
	documents: readonly SourceDocument[],
	textFindings: readonly Finding[] = [],
	options: LintOptions = {},
): LoadedSite {
	const { draft, findings } = lint(documents, textFindings, options);
	const warnings = failOnErrors(findings);
	return { site: siteOf(draft), warnings };
}

/** The site that a draft makes up; it must have an Ironic, and the linter must have found no error. */
export function siteOf(draft: Draft): Site {
	const [ironic] = draft.ironics;
	if (!ironic) throw new TypeError("a draft without Ironic passed the linter");
	const bootstrap = withImage(draft.bootstraps[0] ?? defaultBootstrap(ironic), ironic);
	const { hosts, hardwareData, secrets, configMaps } = draft;
	const all = [ironic, ...draft.bootstraps, ...hosts, ...hardwareData, ...secrets, ...configMaps];
	const byName = new Map(all.map((object) => [describe(refOf(object)), object]));
	return {
		name: bootstrap.metadata.name,
		ironic,
		bootstrap,
		hosts,
		hardwareData,
		secrets,
		configMaps,
		locate: (ref, path = []) => {
			const object = byName.get(describe(ref));
			return object && draft.locate(object, path);
		},
	};
}

function defaultBootstrap({ metadata: { name, namespace } }: Ironic): Bootstrap {
	return bootstrapSchema.parse({
		apiVersion: "ironstrap.io/v1alpha1",
		kind: "Bootstrap",
		metadata: { name, namespace },
	});
}

function withImage(bootstrap: Bootstrap, ironic: Ironic): Bootstrap {
	const image = ironic.spec.images.ironic;
	if (!image) return bootstrap;
	return { ...bootstrap, spec: { ...bootstrap.spec, images: { ...bootstrap.spec.images, ironic: image } } };
}
