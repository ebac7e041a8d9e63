import type { IronicClient } from "../../ironic/client.ts";
import type { KubeClient } from "../../kube/client.ts";
import type { FenceProof, PivotRecordStore } from "../../state/pivot-record.ts";
import type { Step } from "../../steps/step.ts";
import type { PivotPlan } from "../plan.ts";

/** This machine's stack, as far as a hand-over deals with it. */
export interface PivotSource {
	/** Its full API; answers only while the stack runs. */
	readonly ironic: IronicClient;
	/** Takes the stack away, data volumes excepted; nothing of it can come back by itself. */
	removal(signal: AbortSignal): Promise<readonly Step<unknown>[]>;
	/** Looks whether anything of it is there. */
	look(signal: AbortSignal): Promise<SourceSight>;
}

export interface SourceSight {
	/** What was found: containers that exist, ports that somebody listens on. */
	readonly found: readonly string[];
	/** What was looked for, when nothing of it was found. */
	readonly proof: Omit<FenceProof, "at">;
}

/** Milliseconds. */
export interface PivotTimes {
	/** For the target's Ironic to get ready. */
	readonly ironic: number;
	/** For BMO to take a host over, or to let go of it. */
	readonly host: number;
	/** A host must stay well for this long before the next is let go. */
	readonly settle: number;
	/** All hosts must stay well for this long before it is for good. */
	readonly soak: number;
}

export interface PivotContext {
	readonly plan: PivotPlan;
	readonly kube: KubeClient;
	readonly record: PivotRecordStore;
	readonly source: PivotSource;
	readonly times: PivotTimes;
}

export type PivotStep = Step<PivotContext>;
