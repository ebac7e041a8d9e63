import type { HostName } from "./host-store.ts";
import { readVersioned, writeVersioned } from "./versioned.ts";

/**
 * How far a hand-over is. What the world itself tells is not here; this is what must be known while one side cannot
 * be asked.
 *
 * - `open`: the source still runs, its nodes are or will be frozen; nothing in the target acts.
 * - `fenced`: the source is (being) taken away and must not come back: `up` refuses.
 * - `cleared`: a rollback has taken everything out of the target again: `up` may bring the source back.
 * - `committed`: the target has the hosts, for good. `up` refuses.
 * - `rolled-back`: as if there never had been a hand-over.
 */
export type PivotPhase = "open" | "fenced" | "cleared" | "committed" | "rolled-back";

/** The flags that a node had before it was frozen; rollback puts them back. */
export interface NodeFlags extends HostName {
	readonly node: string;
	readonly maintenance: boolean;
	readonly maintenanceReason: string | null;
	readonly protected: boolean;
	readonly disablePowerOff: boolean;
}

/** What was seen when the source was found to be away. Proof is this, not the absence of an answer. */
export interface FenceProof {
	/** RFC 3339, UTC. */
	readonly at: string;
	/** Names of the stack's containers that were looked for; none of them existed. */
	readonly containersGone: readonly string[];
	/** `tcp 6385`, on which nobody listened. */
	readonly portsClosed: readonly string[];
}

export interface PivotRecord {
	readonly formatVersion: 1;
	/** Names this hand-over; a label of every object in the target. */
	readonly run: string;
	/** RFC 3339, UTC. */
	readonly createdAt: string;
	readonly phase: PivotPhase;
	readonly target: {
		/** The API server's URL: a resumed run must talk to the same one. */
		readonly server: string;
		/** Absolute path. */
		readonly kubeconfig: string;
		readonly context?: string | undefined;
	};
	/** A rollback was begun: the way forward is closed. */
	readonly goingBack?: boolean | undefined;
	readonly flags: readonly NodeFlags[];
	readonly proof?: FenceProof | undefined;
}

export interface PivotRecordStore {
	read(): Promise<PivotRecord | undefined>;
	write(record: PivotRecord): Promise<void>;
	/** Changes what is there. Fails when there is nothing. */
	update(change: Partial<PivotRecord>): Promise<PivotRecord>;
}

export function openPivotRecord(path: string): PivotRecordStore {
	const read = () => readVersioned<PivotRecord>(path, 1);
	const write = (record: PivotRecord) => writeVersioned(path, record);
	return {
		read,
		write,
		async update(change) {
			const before = await read();
			if (before === undefined) throw new TypeError(`${path} is not there`);
			const after = { ...before, ...change };
			await write(after);
			return after;
		},
	};
}
