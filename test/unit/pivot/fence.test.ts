import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { PivotContext } from "../../../src/pivot/steps/context.ts";
import { proveFence } from "../../../src/pivot/steps/fence.ts";
import { openPivotRecord, type PivotPhase, type PivotRecord } from "../../../src/state/pivot-record.ts";

const GONE = { containersGone: ["label x"], portsClosed: ["tcp 127.0.0.1:6385"] };

async function prove(t: ExecutionContext, phase: PivotPhase, found: readonly string[]) {
	const folder = await mkdtemp(join(tmpdir(), "pivot-fence-"));
	t.teardown(() => rm(folder, { recursive: true, force: true }));
	const record = openPivotRecord(join(folder, "pivot.json"));
	await record.write({
		formatVersion: 1,
		run: "c0ffee01",
		createdAt: "2026-08-02T08:00:00Z",
		phase,
		target: { server: "https://192.0.2.1:6443", kubeconfig: "/root/k" },
		flags: [],
	} satisfies PivotRecord);
	const source = { look: async () => ({ found, proof: GONE }) };
	await proveFence({ record, source } as unknown as PivotContext, new AbortController().signal);
	return record.read();
}

test("invariant 4: what was looked for and not found is the proof, with its time", async (t) => {
	const record = await prove(t, "fenced", []);
	t.like(record?.proof, GONE);
	t.true(Math.abs(Date.parse(record?.proof?.at ?? "") - Date.now()) < 60_000);
});

test("invariant 4: a container that is there, or a source that was never forbidden to start, is no fence", async (t) => {
	const running = await t.throwsAsync(prove(t, "fenced", ["container ironic (running)"]), {
		instanceOf: IronstrapError,
	});
	t.is(running?.code, "pivot-source-running");
	t.is(running?.seen, "container ironic (running)");
	const open = await t.throwsAsync(prove(t, "open", []), { instanceOf: IronstrapError });
	t.is(open?.seen, "the hand-over is open");
});
