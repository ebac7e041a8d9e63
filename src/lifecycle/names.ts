import { namesToResolve, type Resolved } from "../fence/egress.ts";
import { rememberAddresses, resolvedFrom, type SeenAddresses } from "../fence/resolved.ts";
import { resolveNames } from "../linux/network-facts.ts";
import type { Site } from "../resources/site.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";

interface StoredNames {
	readonly formatVersion: 1;
	readonly seen: SeenAddresses;
}

/**
 * The addresses of all host names that containers may reach, with those that earlier looks found; `keep` stores them in
 * `file` for later ones.
 */
export async function resolveSite(
	site: Site,
	file: string | undefined,
	{ keep }: { readonly keep: boolean },
): Promise<Resolved> {
	const names = namesToResolve(site);
	if (names.length === 0) return new Map();
	const stored = file === undefined ? undefined : await readVersioned<StoredNames>(file, 1);
	const found = await resolveNames(names);
	const seen = rememberAddresses(names, stored?.seen ?? {}, found, Date.now());
	if (keep && file !== undefined) await writeVersioned(file, { formatVersion: 1, seen } as StoredNames);
	return resolvedFrom(seen);
}
