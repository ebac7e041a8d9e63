import { existsSync } from "node:fs";
import { ownProgram } from "../assets/assets.ts";
import type { DesiredProject } from "../converge/desired.ts";
import { IronstrapError } from "../lib/errors.ts";
import { systemdVersion } from "../linux/systemd.ts";
import type { Site } from "../resources/site.ts";
import { stackTarget, unitDirectory } from "../systemd/names.ts";
import { siteUnits, type UnitFile } from "../systemd/units.ts";
import { parseVersion } from "../systemd/version.ts";
import type { Machine } from "./machine.ts";

/** The units of a site for this machine's engine and systemd. Errors: `systemd-missing`, `systemd-engine-unfit`. */
export async function unitsOf(
	site: Site,
	{ engine }: Machine,
	desired: DesiredProject,
	signal: AbortSignal,
): Promise<readonly UnitFile[]> {
	const { kind, limits, rootless, selinux, version } = await engine.info(signal);
	if (rootless)
		throw new IronstrapError({
			code: "systemd-engine-unfit",
			message: "units of the machine cannot run containers of one user's engine",
			seen: engine.socket,
			fix: "use the machine's own engine (`systemctl enable --now podman.socket`, as root)",
		});
	return siteUnits(desired, {
		site: site.name,
		engine: { kind, limits, selinux, version: parseVersion(version) },
		systemd: parseVersion(await systemdVersion(signal)),
		program: ownProgram(),
		startSeconds: Math.ceil(site.bootstrap.spec.deadlines.stack / 1000),
	});
}

/** Whether the site's stack is systemd's to start and stop. */
export function isManaged(site: string): boolean {
	return existsSync(`${unitDirectory}/${stackTarget(site)}`);
}

/** Whoever replaces containers behind systemd's back competes with it. Errors: `site-managed`. */
export function refuseWhenManaged(site: string): void {
	if (!isManaged(site)) return;
	throw new IronstrapError({
		code: "site-managed",
		message: `systemd runs the stack of ${site}`,
		seen: `${unitDirectory}/${stackTarget(site)}`,
		fix: `take it back with \`ironstrap systemd remove --site ${site}\`, run this again, then \`ironstrap systemd install --now --site ${site}\``,
	});
}
