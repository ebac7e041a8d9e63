import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import type { Engine } from "../../../src/engine/engine.ts";
import { ensureDirectory } from "../../../src/lib/atomic-file.ts";
import type { IronstrapError } from "../../../src/lib/errors.ts";
import { connectSiteEngine, pinEngineStep } from "../../../src/lifecycle/site-engine.ts";
import { sitePaths } from "../../../src/state/layout.ts";
import { openJournal } from "../../../src/steps/journal.ts";
import { runSteps } from "../../../src/steps/run.ts";
import { describedEngine } from "../../support/described-engine.ts";

const podman = { Version: "4.3.1", Components: [{ Name: "Podman Engine", Version: "4.3.1" }] };

test("a site stays on the engine that its first up took: the other one is refused, whoever asks", async (t) => {
	const root = mkdtempSync(join(tmpdir(), "ironstrap-engine-"));
	t.teardown(() => rmSync(root, { recursive: true }));
	const paths = sitePaths("x", { state: join(root, "state"), run: join(root, "run"), cache: root });
	await ensureDirectory(paths.stateDirectory, { mode: 0o700 });
	const signal = AbortSignal.timeout(10_000);
	const socket = await describedEngine(podman, { SecurityOptions: [] });
	const found = await connectSiteEngine({ kind: "auto", socket }, paths, signal);
	t.is((await found.info(signal)).kind, "podman");

	const docker = { info: async () => ({ kind: "docker" }) } as unknown as Engine;
	const journal = await openJournal(paths.journal, "up", "0");
	t.teardown(() => journal.close());
	await runSteps([pinEngineStep(docker, paths)], undefined, { journal, signal, emit: () => undefined });

	const elsewhere = await t.throwsAsync<IronstrapError>(
		connectSiteEngine({ kind: "auto", socket }, paths, signal),
	);
	t.is(elsewhere?.code, "engine-not-found");
	t.regex(elsewhere?.seen ?? "", /it is podman 4\.3\.1, not docker/);
	const changed = await t.throwsAsync<IronstrapError>(
		connectSiteEngine({ kind: "podman", socket }, paths, signal),
	);
	t.is(changed?.code, "engine-changed");
	t.is(changed?.message, "the site asks for podman, but its stack and its database are on docker");
});
