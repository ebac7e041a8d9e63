import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { planConvergence } from "../converge/plan.ts";
import { fenceTable } from "../fence/plan.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import { applyRuleset } from "../linux/nft.ts";
import type { Site } from "../resources/site.ts";
import { readApplied } from "../state/applied.ts";
import { type SitePaths, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { waitFor } from "../steps/wait.ts";
import { fenceStands, fenceSteps, fenceText, fenceVerdict, removeFence } from "./fence-steps.ts";
import { refuseWhenHandedOver } from "./hand-over-guard.ts";
import { lookAtMachine, type Machine } from "./machine.ts";
import { type RenderedSite, renderSite } from "./render-site.ts";
import { chooseSite, type LifecycleOptions, type Session, withSession } from "./session.ts";
import { actionStep, filesStep, stackContext } from "./stack-steps.ts";

/** What a machine on its way up has only after a while; anything else is told at once. */
const comesLate = new Set([
	"provisioning-address-missing",
	"engine-not-found",
	"engine-gone",
	"site-busy",
	"engine-refused",
]);

/**
 * The first unit of a stack that systemd starts: configuration, networks, volumes and fence, before any container. It
 * waits by itself for an interface or an engine that comes late, and refuses a site that was handed over.
 */
export async function prepareForUnits(
	options: LifecycleOptions & { readonly site: string | undefined },
): Promise<{ readonly site: string }> {
	const { emit, roots, signal } = options;
	const name = await chooseSite(options.site, roots);
	const paths = sitePaths(name, roots);
	await refuseWhenHandedOver(paths);
	// whoever has systemd start the stack holds the site's lock meanwhile, and has done all this
	if (existsSync(paths.prepared)) {
		await restoreFence(name, paths, signal);
		return { site: name };
	}
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	let seen = "";
	await waitFor(
		{
			what: "this machine to be complete",
			why: () => seen,
			deadlineMs: site.bootstrap.spec.deadlines.stack,
			everyMs: 2000,
			fix: `correct the cause, then \`systemctl restart ironstrap-stack@${name}.target\``,
		},
		async () => {
			try {
				const machine = await lookAtMachine(site, roots, signal);
				await withSession(name, "systemd prepare", options, async (session) => {
					await refuseWhenHandedOver(session.paths);
					await prepareStack(site, machine, session);
				});
				return true;
			} catch (error) {
				if (!(error instanceof IronstrapError) || !comesLate.has(error.code)) throw error;
				seen = error.message;
				return undefined;
			}
		},
		emit,
		signal,
	);
	return { site: name };
}

/** Everything of a stack but its containers. */
export async function prepareStack(site: Site, machine: Machine, session: Session): Promise<RenderedSite> {
	const { run } = session;
	const rendered = await renderSite(site, machine, session);
	const { bridgeSubnet, desired } = rendered;
	const { engine } = machine;
	await runSteps(await fenceSteps(site, machine, bridgeSubnet, session), undefined, run);
	const { actions } = planConvergence(desired, await engine.observe(desired.name, run.signal));
	const context = stackContext(site, engine, rendered);
	const created = actions.filter(({ type }) => type === "create-network" || type === "create-volume");
	await runSteps([filesStep, ...created.map(actionStep)], context, run);
	await runSteps([preparedStep(session.paths)], undefined, run);
	return rendered;
}

/** Last, so that a preparation that was cut off is done again. */
function preparedStep({ prepared }: SitePaths): Step<undefined> {
	return {
		id: "systemd:prepared",
		title: "note that the units may start",
		done: async () => existsSync(prepared),
		do: () => writeFileAtomic(prepared, "", { mode: 0o600 }),
	};
}

/** The last unit to stop. Whether a container is left is not asked: they are ordered before it. */
export async function releaseFromUnits(
	options: LifecycleOptions & { readonly site: string | undefined },
): Promise<{ readonly site: string }> {
	const { roots, signal } = options;
	// without the site's lock: whoever stops the units may hold it
	const name = options.site ?? (await chooseSite(undefined, roots));
	const paths = sitePaths(name, roots);
	await rm(paths.prepared, { force: true });
	if (await fenceStands(name, paths, signal)) await removeFence(fenceTable(name), paths, signal);
	return { site: name };
}

async function restoreFence(site: string, paths: SitePaths, signal: AbortSignal): Promise<void> {
	const text = await fenceText(paths);
	if (text === undefined) return;
	const { verdict } = await fenceVerdict({ table: fenceTable(site), text }, signal);
	if (verdict !== "intact") await applyRuleset(text, signal);
}
