import { readApplied } from "../state/applied.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { fenceOfApplied, type ShownFence } from "./fence-show.ts";
import { type FenceStatus, fenceStatus } from "./fence-status.ts";

/** Who may reach what, and what was refused. */
export interface FenceSummary extends Pick<ShownFence, "site" | "ports" | "reach" | "notes"> {
	readonly fence: FenceStatus;
}

/** Looks at the fence of a site without changing anything. */
export async function fenceSummary(
	wanted: string | undefined,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<FenceSummary> {
	const { notes, ports, reach, site } = await fenceOfApplied(wanted, roots, signal);
	const paths = sitePaths(site, roots);
	const applied = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	return { site, ports, reach, notes, fence: await fenceStatus(applied, paths, signal) };
}
