import {
	type Destination,
	imageUrls,
	namesToResolve,
	type Resolved,
	urlDestinations,
} from "../fence/egress.ts";
import { rememberAddresses, resolvedFrom, type SeenAddresses } from "../fence/resolved.ts";
import { imageRoute } from "../fetch/image-route.ts";
import { resolveNames } from "../linux/network-facts.ts";
import type { Site } from "../resources/site.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";

/** Image URL → the URLs that it led on to. */
type Routes = Readonly<Record<string, readonly string[]>>;

interface StoredNames {
	readonly formatVersion: 1;
	readonly seen: SeenAddresses;
	readonly routes?: Routes;
}

/**
 * Where image sources lead on to, and the addresses of all host names that containers may reach, with those that earlier
 * looks found; `keep` stores them in `file` for later ones.
 */
export async function resolveSite(
	site: Site,
	file: string | undefined,
	{ keep, signal }: { readonly keep: boolean; readonly signal: AbortSignal },
): Promise<{ readonly resolved: Resolved; readonly further: readonly Destination[] }> {
	const isLimited = site.bootstrap.spec.fence.egress === "limited";
	const urls = isLimited && site.bootstrap.spec.fence.mode !== "none" ? imageUrls(site) : [];
	const stored = file === undefined ? undefined : await readVersioned<StoredNames>(file, 1);
	const routes = await routesOf(urls, stored?.routes ?? {}, signal);
	const further = urlDestinations(Object.values(routes).flat());
	const names = namesToResolve(site, further);
	if (names.length === 0 && further.length === 0) return { resolved: new Map(), further: [] };
	const found = await resolveNames(names);
	const seen = rememberAddresses(names, stored?.seen ?? {}, found, Date.now());
	if (keep && file !== undefined)
		await writeVersioned(file, { formatVersion: 1, seen, routes } as StoredNames);
	return { resolved: resolvedFrom(seen), further };
}

/** A source that cannot be asked keeps what it led to before. */
async function routesOf(urls: readonly string[], before: Routes, signal: AbortSignal): Promise<Routes> {
	const entries = urls.map(
		async (url) => [url, (await imageRoute(url, { signal })) ?? before[url] ?? []] as const,
	);
	return Object.fromEntries(await Promise.all(entries));
}
