import type { SitePaths } from "./layout.ts";
import { readVersioned, writeVersioned } from "./versioned.ts";

/** Servers that a person let through the fence though no manifest names them. */
interface Admitted {
	readonly formatVersion: 1;
	/** MAC addresses in lower case, sorted. */
	readonly macs: readonly string[];
}

export async function admittedMacs({ admitted }: Pick<SitePaths, "admitted">): Promise<readonly string[]> {
	return (await readVersioned<Admitted>(admitted, 1))?.macs ?? [];
}

export async function writeAdmittedMacs(
	{ admitted }: Pick<SitePaths, "admitted">,
	macs: Iterable<string>,
): Promise<void> {
	await writeVersioned(admitted, { formatVersion: 1, macs: [...new Set(macs)].sort() } as Admitted);
}
