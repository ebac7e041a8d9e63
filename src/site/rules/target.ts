import { ironicSchema } from "../../resources/ironic.ts";
import { describe } from "../../resources/site.ts";
import { targetManifest } from "../../resources/target-ironic.ts";
import type { SourceDocument } from "../document.ts";
import { refOf } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { findingsOfIssues } from "../issues.ts";
import { ironicFaults } from "./ironic.ts";
import type { SiteRule } from "./site-rule.ts";

const PATH = ["spec", "target", "ironic"] as const;

/**
 * What the target's operator would refuse, found before the servers are deployed rather than at the hand-over. Only
 * what `Bootstrap.spec.target.ironic` brings about: the site's own `Ironic` is checked by itself.
 */
export const target: SiteRule = function* (draft) {
	const [bootstrap] = draft.bootstraps;
	const [ironic] = draft.ironics;
	if (!bootstrap || !ironic || Object.keys(bootstrap.spec.target.ironic).length === 0) return;
	const value = targetManifest(ironic, bootstrap);
	const result = ironicSchema.safeParse(value);
	const subject = `${describe(refOf(bootstrap))} (Ironic of the target)`;
	if (!result.success) {
		const document: SourceDocument = {
			file: draft.documentOf(bootstrap)?.file ?? "",
			value,
			locate: (path) => draft.locate(bootstrap, [...PATH, ...path.slice(1)]) ?? NOWHERE,
			locateKey: (path) => draft.locateKey(bootstrap, [...PATH, ...path.slice(1)]) ?? NOWHERE,
		};
		yield* findingsOfIssues(result.error.issues, { document, kind: "Ironic", subject, schema: ironicSchema });
		return;
	}
	const known = new Set(
		[...ironicFaults({ spec: ironic.spec, subject, where: () => undefined })].map(identity),
	);
	const faults = ironicFaults({
		spec: result.data.spec,
		subject,
		where: (path) => draft.locate(bootstrap, [...PATH, ...path]),
	});
	for (const fault of faults) if (!known.has(identity(fault))) yield fault;
};

const NOWHERE = { file: "", line: 1, column: 1 };

function identity({ code, message }: Finding): string {
	return `${code} ${message}`;
}
