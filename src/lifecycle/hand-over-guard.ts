import { IronstrapError } from "../lib/errors.ts";
import type { SitePaths } from "../state/layout.ts";
import { openPivotRecord } from "../state/pivot-record.ts";

/** Refuses to start a stack whose servers are, or may be, managed by a cluster. Errors: `site-handed-over`. */
export async function refuseWhenHandedOver({ pivot }: Pick<SitePaths, "pivot">): Promise<void> {
	const record = await openPivotRecord(pivot).read();
	if (record === undefined || (record.phase !== "fenced" && record.phase !== "committed")) return;
	const committed = record.phase === "committed";
	throw new IronstrapError({
		code: "site-handed-over",
		message: committed
			? "the servers of this site are managed by a cluster: a second Ironic must not start"
			: "the servers of this site are being handed over to a cluster: a second Ironic must not start",
		seen: `hand-over ${record.run} to ${record.target.server}, ${record.phase}`,
		fix: committed
			? "manage them there; `ironstrap down --purge` removes what is left here"
			: "`ironstrap pivot resume` goes on, `ironstrap pivot rollback` brings the stack back",
	});
}

/** What a hand-over that is not over still needs must not be purged. Errors: `pivot-open`. */
export async function refuseWhilePivoting({ pivot }: Pick<SitePaths, "pivot">): Promise<void> {
	const record = await openPivotRecord(pivot).read();
	if (record === undefined || record.phase === "committed" || record.phase === "rolled-back") return;
	throw new IronstrapError({
		code: "pivot-open",
		message: "a hand-over of this site has begun and is not over",
		seen: `hand-over ${record.run} to ${record.target.server}, ${record.phase}`,
		fix: "end it first: `ironstrap pivot resume`, or `ironstrap pivot rollback`",
	});
}
