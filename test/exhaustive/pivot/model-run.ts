/*
 * One run of a hand-over with a model of the source and a real API server, as a process that can be killed:
 * node model-run.js DIRECTORY forward|back MILLISECONDS   (how long BMO may take; DIRECTORY has access.json, plan.json and
 * the model's state)
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient } from "../../../src/kube/client.ts";
import type { ClusterAccess } from "../../../src/kube/kubeconfig.ts";
import { faultsOf } from "../../../src/lib/errors.ts";
import type { PivotPlan } from "../../../src/pivot/plan.ts";
import { readPlan, storePlan } from "../../../src/pivot/plan-store.ts";
import { clearTarget, runPivot, unfreeze } from "../../../src/pivot/run.ts";
import { openPivotRecord } from "../../../src/state/pivot-record.ts";
import { openSecretStore } from "../../../src/state/secret-store.ts";
import { openJournal } from "../../../src/steps/journal.ts";
import { openModelSource } from "./model-source.ts";

async function main(directory: string, way: string, host: number): Promise<void> {
	const read = <T>(name: string) => JSON.parse(readFileSync(join(directory, name), "utf8")) as T;
	const access = read<ClusterAccess>("access.json");
	const secrets = openSecretStore(join(directory, "secrets"));
	mkdirSync(join(directory, "secrets"), { recursive: true });
	const record = openPivotRecord(join(directory, "pivot.json"));
	const kube = createKubeClient({ access });
	const before = await record.read();
	if (before === undefined || before.phase === "rolled-back") {
		const plan = read<PivotPlan>("plan.json");
		await storePlan(secrets, plan);
		const target = { server: access.server, kubeconfig: "access.json" };
		await record.write({
			formatVersion: 1,
			run: plan.run,
			createdAt: plan.createdAt,
			phase: "open",
			target,
			flags: [],
		});
	}
	const plan = await readPlan(secrets, (await record.read())?.run ?? "");
	const source = openModelSource(directory);
	const times = { ironic: host, host, settle: 0, soak: 0 };
	const context = { plan, kube, record, source, times };
	const journal = await openJournal(join(directory, "journal.jsonl"), way, "model");
	const run = { journal, emit: () => undefined, signal: new AbortController().signal };
	if (way === "forward") await runPivot(context, run);
	else {
		if ((await record.read())?.phase !== "cleared") await clearTarget(context, run);
		source.start();
		await unfreeze(context, run);
	}
	await kube.close();
}

main(process.argv[2] ?? "", process.argv[3] ?? "", Number(process.argv[4])).catch((error: unknown) => {
	for (const { code, message, seen } of faultsOf(error)) console.error(`${code}: ${message}: ${seen ?? ""}`);
	process.exitCode = 1;
});
