/** A container image's name taken apart: `quay.io/metal3-io/ironic:latest`. */
export interface ImageReference {
	/** `quay.io`, `localhost`, `registry.example:5000`; `undefined` if the first part is a path's. */
	readonly registry: string | undefined;
	readonly repository: string;
	readonly tag: string | undefined;
	/** `sha256:…`. */
	readonly digest: string | undefined;
}

/** https://github.com/distribution/reference/blob/main/regexp.go */
const DOMAIN =
	/^(?:\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*)(?::\d+)?$/i;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-f]{32,}$/i;

/** What engines and Kubernetes take; throws a `RangeError` that says what was wrong. */
export function parseImageReference(text: string): ImageReference {
	const [name = "", digest, ...more] = text.split("@");
	if (more.length > 0 || (digest !== undefined && !DIGEST.test(digest)))
		throw new RangeError("has no digest of the form sha256:… after its `@`");
	const lastSlash = name.lastIndexOf("/");
	const colon = name.indexOf(":", lastSlash + 1);
	const tag = colon === -1 ? undefined : name.slice(colon + 1);
	if (tag !== undefined && !TAG.test(tag)) throw new RangeError("has a tag that is none after its `:`");
	const path = colon === -1 ? name : name.slice(0, colon);
	const [first = "", ...rest] = path.split("/");
	// as engines tell a registry from the first part of a path: it has a dot or a port, or is localhost
	const isRegistry = rest.length > 0 && (/[.:[]/.test(first) || first === "localhost");
	if (isRegistry && !DOMAIN.test(first)) throw new RangeError("starts with a registry that is no host");
	const components = isRegistry ? rest : [first, ...rest];
	if (!components.every((component) => COMPONENT.test(component)))
		throw new RangeError(
			"has a name with other characters than lower-case letters, digits, `.`, `_` and `-`",
		);
	return { registry: isRegistry ? first : undefined, repository: components.join("/"), tag, digest };
}
