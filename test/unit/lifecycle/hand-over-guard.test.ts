import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { refuseWhenHandedOver, refuseWhilePivoting } from "../../../src/lifecycle/hand-over-guard.ts";
import { openPivotRecord, type PivotPhase } from "../../../src/state/pivot-record.ts";

async function sitePivot(t: ExecutionContext, phase: PivotPhase | undefined) {
	const folder = await mkdtemp(join(tmpdir(), "guard-"));
	t.teardown(() => rm(folder, { recursive: true, force: true }));
	const pivot = join(folder, "pivot.json");
	if (phase !== undefined)
		await openPivotRecord(pivot).write({
			formatVersion: 1,
			run: "c0ffee01",
			createdAt: "2026-08-02T08:00:00Z",
			phase,
			target: { server: "https://192.0.2.1:6443", kubeconfig: "/root/k" },
			flags: [],
		});
	return { pivot };
}

const codeOf = (work: Promise<void>) =>
	work.then(
		() => "allowed",
		(error: unknown) => (error instanceof IronstrapError ? error.code : String(error)),
	);

for (const [phase, up, purge] of [
	[undefined, "allowed", "allowed"],
	["open", "allowed", "pivot-open"],
	["fenced", "site-handed-over", "pivot-open"],
	["cleared", "allowed", "pivot-open"],
	["committed", "site-handed-over", "allowed"],
	["rolled-back", "allowed", "allowed"],
] as const)
	test(`invariant 18: with a hand-over that is ${phase ?? "not there"}, up is ${up}, a purge ${purge}`, async (t) => {
		const paths = await sitePivot(t, phase);
		t.is(await codeOf(refuseWhenHandedOver(paths)), up);
		t.is(await codeOf(refuseWhilePivoting(paths)), purge);
	});
