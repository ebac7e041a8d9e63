import { IronstrapError } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { Site } from "../resources/site.ts";
import { nearest } from "../site/nearest.ts";
import type { StoredHost } from "../state/host-store.ts";

/** A host as it is declared, as it is stored, or both. */
export interface Candidate {
	readonly namespace: string;
	readonly name: string;
	readonly host: BareMetalHost | undefined;
	readonly stored: StoredHost | undefined;
}

/** Every host of the site, then every one that is stored but no longer declared. */
export function candidates(site: Site, stored: readonly StoredHost[]): readonly Candidate[] {
	const known = new Map(stored.map((host) => [`${host.namespace}/${host.name}`, host]));
	const declared = site.hosts.map((host): Candidate => {
		const { name, namespace } = host.metadata;
		const key = `${namespace}/${name}`;
		const candidate = { namespace, name, host, stored: known.get(key) };
		known.delete(key);
		return candidate;
	});
	const rest = [...known.values()].map(({ name, namespace, ...host }): Candidate => {
		return { namespace, name, host: undefined, stored: { ...host, namespace, name } };
	});
	return [...declared, ...rest];
}

/**
 * The hosts that a person names, as `NAME` or `NAMESPACE/NAME`; all of them when none is named. Errors:
 * `host-unknown`, `host-ambiguous`.
 */
export function chooseHosts(all: readonly Candidate[], words: readonly string[]): readonly Candidate[] {
	if (words.length === 0) return all;
	const chosen = words.map((word) => {
		const found = all.filter(({ name, namespace }) => word === name || word === `${namespace}/${name}`);
		const [only] = found;
		if (found.length === 1 && only !== undefined) return only;
		throw found.length === 0 ? unknown(word, all) : ambiguous(word, found);
	});
	return [...new Set(chosen)];
}

function unknown(word: string, all: readonly Candidate[]): IronstrapError {
	const names = all.flatMap(({ name, namespace }) => [name, `${namespace}/${name}`]);
	const meant = nearest(word, names);
	return new IronstrapError({
		code: "host-unknown",
		message: `this site has no host ${word}`,
		seen: all.map(({ name, namespace }) => `${namespace}/${name}`).join(", ") || "the site has no hosts",
		fix:
			meant === undefined
				? "`ironstrap hosts` lists them; a new one is declared in the manifests, then `ironstrap up`"
				: `did you mean ${meant}?`,
	});
}

function ambiguous(word: string, found: readonly Candidate[]): IronstrapError {
	return new IronstrapError({
		code: "host-ambiguous",
		message: `there is more than one host ${word}`,
		seen: found.map(({ name, namespace }) => `${namespace}/${name}`).join(", "),
		fix: "write it as NAMESPACE/NAME",
	});
}
