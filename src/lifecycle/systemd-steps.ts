import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ensureDirectory, writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import {
	complaintsAbout,
	generatedServices,
	isEnabled,
	journalTail,
	runsSystemd,
	systemctl,
	type UnitComplaint,
	type UnitState,
	unitStates,
} from "../linux/systemd.ts";
import type { Step } from "../steps/step.ts";
import { quadletDirectory, stackTarget, unitDirectory, unitPaths, unitsOfSite } from "../systemd/names.ts";
import type { UnitFile } from "../systemd/units.ts";

/** Writes a site's units, proven before and after, and has them started with the machine. Taken back by {@link removeUnitsStep}. */
export function installSteps(site: string, units: readonly UnitFile[]): readonly Step<unknown>[] {
	return [checkUnitsStep(units), writeUnitsStep(site, units), enableStep(site, units)];
}

/** Nothing is installed that the generator or systemd would refuse: they would leave it out and tell nobody. */
function checkUnitsStep(units: readonly UnitFile[]): Step<unknown> {
	return {
		id: "systemd:check",
		title: "have the units checked by Quadlet and systemd",
		done: () => areWritten(units),
		async do(_context, { signal }) {
			const complaints = await complaintsAbout(bySource(units), signal);
			if (complaints.length > 0) throw refused(complaints, units);
		},
	};
}

function writeUnitsStep(site: string, units: readonly UnitFile[]): Step<unknown> {
	const quadlet = bySource(units).quadlet;
	return {
		id: "systemd:units",
		title: "write the units",
		done: async (_context, { signal }) =>
			(await areWritten(units)) && (await areLoaded(units, signal)) && stalePaths(site, units).length === 0,
		async do(_context, { signal }) {
			for (const path of stalePaths(site, units)) await rm(path, { force: true });
			for (const { content, path } of units) {
				if ((await contentOf(path)) === content) continue;
				await ensureDirectory(dirname(path), { mode: 0o755 });
				await writeFileAtomic(path, content, { mode: 0o644 });
			}
			await systemctl(["daemon-reload"], signal);
		},
		async verify(_context, { signal }) {
			const made = new Set(quadlet.length === 0 ? [] : await generatedServices(signal));
			const missing = units.filter(({ path, unit }) => isQuadlet(path) && !made.has(unit));
			const complaints = missing.map(({ path }) => ({
				file: path,
				message: "the generator makes no unit of it",
			}));
			if (complaints.length > 0) throw refused(complaints, units);
		},
		undo: (_context, { signal }) => removeUnits(site, signal),
	};
}

/** What Quadlet makes of its files is wanted by the target from the start; everything else has to be enabled. */
function enableStep(site: string, units: readonly UnitFile[]): Step<unknown> {
	const names = bySource(units).units.map(({ unit }) => unit);
	return {
		id: "systemd:enable",
		title: "start the stack with the machine",
		done: async (_context, { signal }) =>
			(await Promise.all(names.map((name) => isEnabled(name, signal)))).every(Boolean),
		do: (_context, { signal }) => systemctl(["enable", "--quiet", ...names], signal),
		undo: (_context, { signal }) => removeUnits(site, signal),
	};
}

/** Starts what does not run, and starts again what runs by an older text of its unit. */
export function startUnitsStep(site: string, units: readonly UnitFile[], deadlineMs: number): Step<unknown> {
	const names = units.map(({ unit }) => unit);
	return {
		id: "systemd:start",
		title: "have systemd start the stack",
		done: async (_context, { signal }) => {
			const states = await unitStates(names, signal);
			return (
				states.every(({ active }) => active === "active") && (await outdated(units, states)).length === 0
			);
		},
		async do(_context, { waitFor }) {
			let seen = "";
			let asked = false;
			await waitFor(
				{
					what: `systemd to start ${stackTarget(site)}`,
					why: () => seen,
					deadlineMs,
					fix: `see \`systemctl status 'ironstrap*'\` and \`journalctl -u 'ironstrap-*'\``,
				},
				async (signal) => {
					if (!asked) {
						const old = await outdated(units, await unitStates(names, signal));
						if (old.length > 0) await systemctl(["restart", ...old], signal);
						await systemctl(["start", stackTarget(site)], signal);
						asked = true;
					}
					const rest = (await unitStates(names, signal)).filter(({ active }) => active !== "active");
					const failed = rest.find(({ active }) => active === "failed");
					if (failed !== undefined) throw await unitFailed(failed, signal);
					// one whose first start failed is started again by systemd
					seen = rest.map(({ active, unit }) => `${unit} is ${active}`).join(", ");
					return rest.length === 0 || undefined;
				},
			);
		},
	};
}

/**
 * Stops the stack and takes its units away, whatever of them is there. The fence goes with the last container.
 */
export function removeUnitsStep(site: string): Step<unknown> {
	return {
		id: "systemd:remove",
		title: "take the stack from systemd",
		done: async () => unitPaths(site).every((path) => !existsSync(path)),
		async do(_context, { waitFor }) {
			const what = `systemd to stop ${stackTarget(site)}`;
			await waitFor({ what, deadlineMs: 300_000, fix: "see `systemctl list-jobs`" }, async (signal) => {
				await removeUnits(site, signal);
				return true;
			});
		},
	};
}

/** Stopped first: a unit whose file is gone can no longer be asked for by its name after a reload. */
async function removeUnits(site: string, signal: AbortSignal): Promise<void> {
	const live = runsSystemd();
	if (live) {
		const known = (await unitStates(unitsOfSite(site), signal)).filter(({ load }) => load !== "not-found");
		if (known.length > 0) await systemctl(["stop", ...known.map(({ unit }) => unit)], signal);
	}
	const enabled = unitsOfSite(site).filter((unit) => existsSync(`${unitDirectory}/${unit}`));
	if (enabled.length > 0)
		await systemctl([...(live ? [] : ["--root=/"]), "disable", "--quiet", ...enabled], signal);
	// the target's file last: while it is there, the site counts as systemd's
	for (const path of [...unitPaths(site)].reverse()) await rm(path, { force: true });
	if (!live) return;
	await systemctl(["daemon-reload"], signal);
	const left = (await unitStates(unitsOfSite(site), signal)).filter(({ active }) => active === "failed");
	if (left.length > 0) await systemctl(["reset-failed", ...left.map(({ unit }) => unit)], signal);
}

/** Running units whose file was written after they had started. */
async function outdated(
	units: readonly UnitFile[],
	states: readonly UnitState[],
): Promise<readonly string[]> {
	const found = await Promise.all(
		units.map(async ({ path, unit }) => {
			const state = states.find((each) => each.unit === unit);
			if (state?.active !== "active") return [];
			return (await stat(path)).mtimeMs > state.activeSince ? [unit] : [];
		}),
	);
	return found.flat();
}

/** Files of the site that its units no longer lie in: a service that is gone, or another engine's kind of file. */
function stalePaths(site: string, units: readonly UnitFile[]): readonly string[] {
	const wanted = new Set(units.map(({ path }) => path));
	return unitPaths(site).filter((path) => !wanted.has(path) && existsSync(path));
}

async function areWritten(units: readonly UnitFile[]): Promise<boolean> {
	const texts = await Promise.all(
		units.map(async ({ content, path }) => (await contentOf(path)) === content),
	);
	return texts.every(Boolean);
}

async function areLoaded(units: readonly UnitFile[], signal: AbortSignal): Promise<boolean> {
	const states = await unitStates(
		units.map(({ unit }) => unit),
		signal,
	);
	return states.every(({ load }) => load === "loaded");
}

async function contentOf(path: string): Promise<string | undefined> {
	return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
}

function isQuadlet(path: string): boolean {
	return path.startsWith(quadletDirectory);
}

function bySource(units: readonly UnitFile[]) {
	return {
		quadlet: units.filter(({ path }) => isQuadlet(path)),
		units: units.filter(({ path }) => !isQuadlet(path)),
	};
}

/** Told by the Compose service whose definition the unit was made from. */
function refused(complaints: readonly UnitComplaint[], units: readonly UnitFile[]): IronstrapError {
	const lines = complaints.map(({ file, message }) => {
		const name = file?.replace(/\.(?:container|service)$/, "");
		const service = units.find(({ path }) => name !== undefined && path.includes(`${name}.`))?.service;
		return service === undefined ? message : `service ${service}: ${message}`;
	});
	return new IronstrapError({
		code: "systemd-units-refused",
		message: "this machine's systemd or Podman does not take the units that were made for it",
		seen: lines.slice(0, 8).join("\n"),
		fix: "`ironstrap systemd show` prints them; tell the makers of ironstrap, with the versions of Podman and systemd",
	});
}

async function unitFailed({ active, result, unit }: UnitState, signal: AbortSignal): Promise<IronstrapError> {
	return new IronstrapError({
		code: "systemd-unit-failed",
		message: `${unit} is ${active}${result === "success" ? "" : ` (${result})`}`,
		seen: (await journalTail(unit, 15, signal)) || undefined,
		fix: `correct the cause, then \`systemctl reset-failed ${unit}\` and run this again`,
	});
}
