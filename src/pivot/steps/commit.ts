import type { PivotStep } from "./context.ts";

/** P9: the hosts are the cluster's for good; this machine's stack stays away. */
export const commitStep: PivotStep = {
	id: "pivot:commit",
	title: "commit: the cluster has the hosts",
	done: async ({ record }) => (await record.read())?.phase === "committed",
	do: async ({ record }) => void (await record.update({ phase: "committed" })),
};

/** Rollback: the target has nothing of this hand-over any more, so that the source may come back. */
export const clearedStep: PivotStep = {
	id: "pivot:cleared",
	title: "allow this machine's stack to start again",
	done: async ({ record }) => (await record.read())?.phase !== "fenced",
	do: async ({ record }) => void (await record.update({ phase: "cleared" })),
};

/** Rollback: as if there never had been a hand-over. */
export const rolledBackStep: PivotStep = {
	id: "pivot:rolled-back",
	title: "end the hand-over",
	do: async ({ record }) => void (await record.update({ phase: "rolled-back" })),
};
