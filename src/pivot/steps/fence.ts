import { IronstrapError } from "../../lib/errors.ts";
import type { PivotContext, PivotStep } from "./context.ts";

/** P4: from here on `up` refuses to start this stack, also after a restart of the machine. Before anything is stopped. */
export const fenceStep: PivotStep = {
	id: "pivot:fence",
	title: "forbid this machine's stack to start",
	done: async ({ record }) => (await record.read())?.phase !== "open",
	do: async ({ record }) => void (await record.update({ phase: "fenced" })),
};

/** P4: looks, every time, and notes what was seen. */
export const proveStep: PivotStep = {
	id: "pivot:prove",
	title: "prove that nothing of this machine's stack is left",
	do: async (context, { signal }) => proveFence(context, signal),
};

/** Nothing in the target may be let go before this has been seen. Errors: `pivot-source-running`. */
export async function proveFence({ record, source }: PivotContext, signal: AbortSignal): Promise<void> {
	const phase = (await record.read())?.phase;
	const { found, proof } = await source.look(signal);
	if (phase === "fenced" && found.length === 0) {
		await record.update({ proof: { at: new Date().toISOString(), ...proof } });
		return;
	}
	throw new IronstrapError({
		code: "pivot-source-running",
		message: "this machine's stack is not away, so nobody else may manage the servers",
		seen: found.join(", ") || `the hand-over is ${phase ?? "not there"}`,
		fix: "stop what is named there, then `ironstrap pivot resume`; the hosts in the cluster stay paused until then",
	});
}
