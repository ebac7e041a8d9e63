import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { listShared, readShared } from "./shared.ts";

export const BMO_RELEASES = ["bmo-v0.11.0", "bmo-v0.13.2", "bmo-v0.14.0-rc.0"] as const;
export const IRSO_RELEASES = ["irso-v0.8.0", "irso-v0.11.0"] as const;
export type CrdRelease = (typeof BMO_RELEASES)[number] | (typeof IRSO_RELEASES)[number];

/** The part of OpenAPI v3 that CustomResourceDefinitions are written in. */
export interface CrdSchema {
	readonly type?: string;
	readonly properties?: Readonly<Record<string, CrdSchema>>;
	readonly items?: CrdSchema;
	readonly additionalProperties?: CrdSchema | boolean;
	readonly required?: readonly string[];
	readonly default?: unknown;
	readonly [keyword: string]: unknown;
}

interface Crd {
	readonly spec: {
		readonly names: { readonly kind: string };
		readonly versions: readonly {
			readonly name: string;
			readonly schema: { readonly openAPIV3Schema: CrdSchema };
		}[];
	};
}

/** The schema of a kind as that release publishes it. */
export function crdSchema(release: CrdRelease, kind: string): CrdSchema {
	for (const file of listShared("crds", release)) {
		const text = readShared("crds", release, file);
		// These files are large: only the right one is parsed.
		if (!new RegExp(`^    kind: ${kind}$`, "m").test(text)) continue;
		const [version] = (parse(text) as Crd).spec.versions;
		if (version) return version.schema.openAPIV3Schema;
	}
	throw new Error(`${release} has no kind ${kind}`);
}

/**
 * A function that gives all complaints of a release's CRD about an object (none: it is valid).
 * `refuse` (the default) treats fields that the release does not know as faults, as the strict validation of kubectl
 * and the webhook's strict decoding do; `prune` ignores them, as the API server does otherwise.
 */
export function crdValidator(
	release: CrdRelease,
	kind: string,
	{ unknownFields = "refuse" }: { readonly unknownFields?: "refuse" | "prune" } = {},
): (object: unknown) => string[] {
	const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
	addFormats.default(ajv);
	const schema = crdSchema(release, kind);
	const validate = ajv.compile(unknownFields === "refuse" ? closed(schema, true) : schema);
	return (object) => {
		// As JSON, because that is what a server is sent: a key that is `undefined` is not there.
		validate(JSON.parse(JSON.stringify(object)));
		return (validate.errors ?? []).map(errorText);
	};
}

function errorText({ instancePath, message, params }: ErrorObject): string {
	return `${instancePath || "/"} ${message ?? ""} ${JSON.stringify(params)}`;
}

/** The same schema, which refuses unknown fields; `metadata` of the whole object belongs to the API server. */
function closed(schema: CrdSchema, isTop: boolean): CrdSchema {
	const { properties, items, additionalProperties } = schema;
	if (schema["x-kubernetes-preserve-unknown-fields"] === true) return schema;
	return {
		...schema,
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, inner]) => [
					name,
					isTop && name === "metadata" ? inner : closed(inner, false),
				]),
			),
			additionalProperties: false,
		}),
		...(items && { items: closed(items, false) }),
		...(typeof additionalProperties === "object" && {
			additionalProperties: closed(additionalProperties, false),
		}),
	};
}
