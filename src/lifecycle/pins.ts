import type { ImagePins } from "../checks/images.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";

/** What was decided once and must not change by itself later. */
export interface Pins {
	readonly formatVersion: 1;
	/** Of the stack's private bridge. */
	readonly bridgeSubnet?: string | undefined;
	readonly images?: ImagePins | undefined;
}

export async function readPins(file: string): Promise<Pins> {
	return (await readVersioned<Pins>(file, 1)) ?? { formatVersion: 1 };
}

/** Adds to what is pinned; the caller holds the site's lock. */
export async function storePins(file: string, added: Omit<Pins, "formatVersion">): Promise<void> {
	await writeVersioned(file, { ...(await readPins(file)), ...added });
}
