import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { LAB_RUN_DIRECTORY } from "../../../lab/sandbox/mounts.ts";
import type { Sandbox } from "../../../lab/sandbox.ts";
import { killAt, listMoments } from "../../../lab/story/crash.ts";
import { difference, lookAtWorld } from "../../../lab/story/world.ts";
import { leftAfterPurge, purge, site, succeed } from "../../support/bare-stack.ts";
import { mustBeUp, mustEqual, startMachine } from "./machine.ts";
import type { Tally } from "./points.ts";

const parent = `${LAB_RUN_DIRECTORY}/export`;

/** `pivot --export` into a new directory, again and again over one stack that it must leave as it was. */
export async function exportPart(tally: Tally): Promise<void> {
	const machine = await startMachine({ host: false });
	const { sandbox } = machine;
	try {
		await succeed(sandbox, machine.up);
		const target = (name: string) => ["pivot", "--export", `${parent}/${name}/bundle`];
		const { moments, outcome } = await listMoments(sandbox, target("clean"));
		if (outcome.exitCode !== 0) throw new Error(`the clean export: ${JSON.stringify(outcome.result)}`);
		const wanted = await lookAtWorld(sandbox, site);
		const wantedFiles = filesOf(sandbox, `${parent}/clean`);
		for (const [index, moment] of moments.filter(tally.wanted).entries())
			await tally.point(moment, async () => {
				await killAt(sandbox, target(String(index)), moment);
				await succeed(sandbox, target(String(index)));
				mustEqual(wanted, await lookAtWorld(sandbox, site), true);
				const differences = difference(wantedFiles, filesOf(sandbox, `${parent}/${index}`));
				if (differences.length > 0) throw new Error(differences.join("\n"));
				mustHaveGoodSums(sandbox, `${parent}/${index}/bundle`);
				await mustBeUp(machine, wanted, true);
			});
		await succeed(sandbox, purge);
		tally.leftovers(await leftAfterPurge(sandbox));
	} finally {
		await machine.stop();
	}
}

/** Mode and name of everything below; a half-written bundle beside the whole one would show. */
function filesOf(sandbox: Sandbox, root: string): readonly string[] {
	const outside = sandbox.path(root);
	return (readdirSync(outside, { recursive: true }) as string[])
		.map((path) => `${(statSync(`${outside}/${path}`).mode & 0o7777).toString(8)} ${path}`)
		.sort();
}

function mustHaveGoodSums(sandbox: Sandbox, bundle: string): void {
	const outside = sandbox.path(bundle);
	for (const line of readFileSync(`${outside}/SHA256SUMS`, "utf8").trim().split("\n")) {
		const [sum, path] = line.split("  ");
		const found = createHash("sha256")
			.update(readFileSync(`${outside}/${path}`))
			.digest("hex");
		if (found !== sum) throw new Error(`${path} is not what SHA256SUMS says`);
	}
}
