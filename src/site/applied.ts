import type { Bootstrap } from "../resources/bootstrap.ts";
import type { Secret } from "../resources/core.ts";
import { formatDuration } from "../resources/duration.ts";
import type { Site } from "../resources/site.ts";
import { siteOf } from "./assemble.ts";
import { draftOf } from "./draft.ts";
import { failOnErrors, isError } from "./finding.ts";
import { parseDocuments } from "./parse.ts";
import { documentText } from "./yaml-text.ts";

/** A site as two texts of YAML documents, so that secrets can lie in a file of their own. */
export interface AppliedSite {
	/** Everything but Secrets. */
	readonly manifests: string;
	/** The Secrets, `data` in base64; empty if there are none. */
	readonly secrets: string;
}

/** Pure; the same site always gives the same texts, and `siteFromApplied` gives the site back. */
export function serialiseSite(site: Site): AppliedSite {
	const rest = [
		site.ironic,
		bootstrapManifest(site.bootstrap),
		...site.hosts,
		...site.hardwareData,
		...site.configMaps,
	];
	return { manifests: documents(rest), secrets: documents(site.secrets.map(secretManifest)) };
}

/**
 * Reads what `serialiseSite` wrote. The linter's rules are not applied: what an older ironstrap has applied must stay
 * readable. Throws `IronstrapErrors` if the texts are damaged; `files` are the names to complain about.
 */
export function siteFromApplied(
	{ manifests, secrets }: AppliedSite,
	files: { readonly manifests: string; readonly secrets: string } = {
		manifests: "manifests.yaml",
		secrets: "secrets.yaml",
	},
): Site {
	const texts = [parseDocuments(manifests, files.manifests), parseDocuments(secrets, files.secrets)];
	const textFindings = texts.flatMap(({ findings }) => findings);
	const { draft, findings } = draftOf(
		texts.flatMap((text) => text.documents),
		textFindings.some(isError),
	);
	const all = [...textFindings, ...findings];
	if (draft.ironics.length === 0)
		all.push({
			code: "ironic-missing",
			severity: "error",
			message: "the stored site has no Ironic",
			where: { file: files.manifests, line: 1, column: 1 },
			fix: "restore the state directory from a backup, or apply the site again",
		});
	failOnErrors(all);
	return siteOf(draft);
}

function documents(values: readonly unknown[]): string {
	return values.map((value) => documentText(value)).join("");
}

function bootstrapManifest(bootstrap: Bootstrap) {
	const deadlines = Object.entries(bootstrap.spec.deadlines).map(([name, ms]) => [name, formatDuration(ms)]);
	const { limits } = bootstrap.spec;
	return {
		...bootstrap,
		spec: {
			...bootstrap.spec,
			limits: { ...limits, powerOnEvery: formatDuration(limits.powerOnEvery) },
			deadlines: Object.fromEntries(deadlines) as Record<string, string>,
		},
	};
}

function secretManifest({ data, binaryData, ...rest }: Secret) {
	const texts = Object.entries(data).map(([key, value]) => [
		key,
		Buffer.from(value, "utf8").toString("base64"),
	]);
	return { ...rest, data: { ...(Object.fromEntries(texts) as Record<string, string>), ...binaryData } };
}
