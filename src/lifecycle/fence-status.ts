import { compareListings } from "../fence/listing.ts";
import {
	type HeardServer,
	heardServers,
	refusedPackets,
	type UnknownServer,
	unknownServers,
} from "../fence/observations.ts";
import { fenceTable } from "../fence/plan.ts";
import type { Refusal } from "../fence/refusals.ts";
import { IronstrapError } from "../lib/errors.ts";
import { listAsRendered, listTable } from "../linux/nft.ts";
import type { BootstrapSpec } from "../resources/bootstrap.ts";
import type { Site } from "../resources/site.ts";
import type { SitePaths } from "../state/layout.ts";
import { fenceText } from "./fence-steps.ts";

export interface FenceStatus extends Pick<BootstrapSpec["fence"], "mode" | "dhcp" | "egress"> {
	/**
	 * `none`: the site wants no fence; `down`: none is to stand; `missing`, `altered`: one is, and is not as it was put
	 * up; `unknown`: nftables cannot be asked.
	 */
	readonly state: "intact" | "altered" | "missing" | "down" | "none" | "unknown";
	/** Packets refused since it was put up, by reason. */
	readonly refused: Readonly<Partial<Record<Refusal, number>>>;
	readonly unknownServers: readonly UnknownServer[];
	readonly heard: readonly HeardServer[];
}

/** What can be said about a fence without changing it. */
export async function fenceStatus(site: Site, paths: SitePaths, signal: AbortSignal): Promise<FenceStatus> {
	const { dhcp, egress, mode } = site.bootstrap.spec.fence;
	const table = fenceTable(site.name);
	const nothing = { mode, dhcp, egress, refused: {}, unknownServers: [], heard: [] };
	try {
		const text = await fenceText(paths);
		const found = await listTable(table, signal);
		if (found === undefined) {
			const absent = mode === "none" ? "none" : "down";
			return { ...nothing, state: text === undefined ? absent : "missing" };
		}
		const isIntact =
			text !== undefined &&
			compareListings(found, await listAsRendered(text, table, signal)).verdict === "intact";
		return {
			...nothing,
			state: isIntact ? "intact" : "altered",
			refused: refusedPackets(found),
			unknownServers: unknownServers(found),
			heard: heardServers(found),
		};
	} catch (error) {
		if (!(error instanceof IronstrapError) || !error.code.startsWith("nft-")) throw error;
		return { ...nothing, state: mode === "none" ? "none" : "unknown" };
	}
}
