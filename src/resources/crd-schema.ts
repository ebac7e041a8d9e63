/** The part of a structural schema (apiextensions.k8s.io/v1) that decides whether an object is taken as it is. */
export interface CrdSchema {
	readonly type?: string;
	readonly properties?: Readonly<Record<string, CrdSchema>>;
	readonly additionalProperties?: CrdSchema | boolean;
	readonly items?: CrdSchema;
	readonly required?: readonly string[];
	readonly enum?: readonly unknown[];
	/** What the API server fills in before it validates. */
	readonly default?: unknown;
	readonly nullable?: boolean;
	readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
	readonly "x-kubernetes-int-or-string"?: boolean;
}

/**
 * What a cluster with this schema would refuse or silently drop, one line each: `spec.image.format: one of …`. API
 * servers before 1.25 prune unknown fields without a word, whatever they are asked, so that this is looked at here.
 */
export function schemaFaults(schema: CrdSchema, value: unknown, path = ""): readonly string[] {
	const at = path === "" ? "the object" : path;
	if (value === undefined) return [];
	if (value === null) return schema.nullable === true ? [] : [`${at}: must not be null`];
	if (schema.enum !== undefined && !schema.enum.includes(value))
		return [
			`${at}: ${JSON.stringify(value)} is not one of ${schema.enum.map((each) => JSON.stringify(each)).join(", ")}`,
		];
	if (!isOfType(schema, value)) return [`${at}: must be of type ${schema.type}`];
	if (Array.isArray(value)) {
		const { items } = schema;
		return items === undefined
			? []
			: value.flatMap((item, index) => schemaFaults(items, item, `${path}[${index}]`));
	}
	return typeof value === "object" ? mappingFaults(schema, value as Record<string, unknown>, path) : [];
}

function mappingFaults(schema: CrdSchema, value: Record<string, unknown>, path: string): readonly string[] {
	const { additionalProperties, properties = {}, required = [] } = schema;
	const below = (key: string) => (path === "" ? key : `${path}.${key}`);
	const missing = required
		.filter((key) => value[key] === undefined && properties[key]?.default === undefined)
		.map((key) => `${below(key)}: is required`);
	const faults = Object.entries(value).flatMap(([key, entry]) => {
		const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
		if (known !== undefined) return schemaFaults(known, entry, below(key));
		if (typeof additionalProperties === "object")
			return schemaFaults(additionalProperties, entry, below(key));
		const isOpen = additionalProperties === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
		// an object without any properties is a map of anything
		if (isOpen || entry === undefined || (schema.properties === undefined && path === "metadata")) return [];
		return [`${below(key)}: this release does not know the field`];
	});
	return [...missing, ...faults];
}

function isOfType(schema: CrdSchema, value: unknown): boolean {
	if (schema["x-kubernetes-int-or-string"] === true) return ["string", "number"].includes(typeof value);
	switch (schema.type) {
		case "object":
			return typeof value === "object" && !Array.isArray(value);
		case "array":
			return Array.isArray(value);
		case "string":
		case "boolean":
			return typeof value === schema.type;
		case "integer":
			return Number.isInteger(value);
		case "number":
			return typeof value === "number";
		default:
			return true;
	}
}
