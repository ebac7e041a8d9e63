import { label } from "../converge/labels.ts";
import { planRemoval } from "../converge/plan-removal.ts";
import { requireSystemd, unitStates } from "../linux/systemd.ts";
import type { Site } from "../resources/site.ts";
import { projectName } from "../stack/names.ts";
import { readApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { runSteps } from "../steps/run.ts";
import { containerService, stackTarget, unitsOfSite } from "../systemd/names.ts";
import type { UnitFile } from "../systemd/units.ts";
import { refuseWhenHandedOver } from "./hand-over-guard.ts";
import { lookAtMachine, type Machine } from "./machine.ts";
import { quietStep } from "./quiet.ts";
import { renderSite } from "./render-site.ts";
import { chooseSite, type LifecycleOptions, type Session, withSession } from "./session.ts";
import { removalStep } from "./stack-removal.ts";
import { prepareStack } from "./systemd-prepare.ts";
import { installSteps, removeUnitsStep, startUnitsStep } from "./systemd-steps.ts";
import { isManaged, unitsOf } from "./systemd-units.ts";

export interface SystemdOptions extends LifecycleOptions {
	/** The named site, or the only one there is. */
	readonly site: string | undefined;
}

/** The units that this machine would get for an applied site. */
export async function showUnits(
	options: SystemdOptions,
): Promise<{ readonly site: string; readonly units: readonly UnitFile[] }> {
	return withApplied(options, "systemd show", async (site, machine, session) => {
		const { desired } = await renderSite(site, machine, session);
		return { site: site.name, units: await unitsOf(site, machine, desired, options.signal) };
	});
}

/**
 * Writes and enables the units of an applied site: from the next start of the machine on they run its stack. With `now`
 * they take it over at once, each container replaced once: systemd looks only after what it has started itself.
 */
export async function installUnits(
	options: SystemdOptions & { readonly now: boolean },
): Promise<{ readonly site: string; readonly target: string; readonly files: readonly string[] }> {
	requireSystemd();
	return withApplied(options, "systemd install", async (site, machine, session) => {
		await refuseWhenHandedOver(session.paths);
		const { desired } = await renderSite(site, machine, session);
		const units = await unitsOf(site, machine, desired, options.signal);
		await runSteps(installSteps(site.name, units), undefined, session.run);
		if (options.now) {
			await prepareStack(site, machine, session);
			await clearContainers(site, machine, session);
			await startBySystemd(site, units, session);
		}
		return { site: site.name, target: stackTarget(site.name), files: units.map(({ path }) => path) };
	});
}

/** Stops the stack and takes its units away; database, leases and stored hosts stay for the next `up`. */
export async function removeInstalled(
	options: SystemdOptions,
): Promise<{ readonly site: string; readonly wasManaged: boolean }> {
	const name = options.site ?? (await chooseSite(undefined, options.roots));
	return withSession(name, "systemd remove", options, async ({ run }) => {
		const wasManaged = isManaged(name);
		await runSteps([removeUnitsStep(name)], undefined, run);
		return { site: name, wasManaged };
	});
}

async function startBySystemd(site: Site, units: readonly UnitFile[], session: Session): Promise<void> {
	const deadlineMs = site.bootstrap.spec.deadlines.stack * 2;
	await runSteps([startUnitsStep(site.name, units, deadlineMs)], undefined, session.run);
}

/** Ends what systemd did not start, each container with the time it needs: Podman's `--replace` would kill the database. */
async function clearContainers(site: Site, { engine }: Machine, { run, secrets }: Session): Promise<void> {
	const observed = await engine.observe(projectName(site.name), run.signal);
	const states = await unitStates(unitsOfSite(site.name), run.signal);
	const running = new Set(states.flatMap(({ active, unit }) => (active === "active" ? [unit] : [])));
	const foreign = observed.containers.filter(
		({ labels }) => !running.has(containerService(site.name, labels[label.service] ?? "")),
	);
	const actions = planRemoval({ ...observed, containers: foreign }, { volumes: false }).filter(
		({ type }) => type === "remove-container",
	);
	if (actions.length === 0) return;
	const removals = actions.map((action) => removalStep(engine, action));
	await runSteps([quietStep(observed, site, secrets), ...removals], undefined, run);
}

async function withApplied<T>(
	options: SystemdOptions,
	command: string,
	work: (site: Site, machine: Machine, session: Session) => Promise<T>,
): Promise<T> {
	const name = await chooseSite(options.site, options.roots);
	const paths = sitePaths(name, options.roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const machine = await lookAtMachine(site, options.roots, options.signal);
	return withSession(name, command, options, (session) => work(site, machine, session));
}
