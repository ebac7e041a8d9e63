import type { SitePaths } from "./layout.ts";
import { readVersioned, writeVersioned } from "./versioned.ts";

/** An image whose program has had the site's data in its hands. */
export interface ServedBy {
	readonly version: string | undefined;
	readonly reference: string;
	/** `sha256:…` */
	readonly image: string;
}

/** What used the database last: an older one must not come after it. */
export interface Served {
	readonly formatVersion: 1;
	readonly ironic?: ServedBy | undefined;
	readonly mariadb?: ServedBy | undefined;
}

export async function readServed({ served }: Pick<SitePaths, "served">): Promise<Served> {
	return (await readVersioned<Served>(served, 1)) ?? { formatVersion: 1 };
}

export async function writeServed(
	{ served }: Pick<SitePaths, "served">,
	now: Omit<Served, "formatVersion">,
): Promise<void> {
	await writeVersioned(served, { formatVersion: 1, ...now } satisfies Served);
}
