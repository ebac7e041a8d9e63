import { label } from "../converge/labels.ts";
import type { EngineInfo } from "../engine/engine.ts";
import { type HostRow, hostRows } from "../hosts/rows.ts";
import { projectName } from "../stack/names.ts";
import { readApplied } from "../state/applied.ts";
import { openHostStore } from "../state/host-store.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { readWaits } from "../state/waits.ts";
import type { WaitState } from "../steps/events.ts";
import { type FenceStatus, fenceStatus } from "./fence-status.ts";
import { chooseSite } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";

export interface ServiceState {
	readonly service: string;
	readonly state: string;
	/** Of a one-shot or a service that ended. */
	readonly exitCode: number | undefined;
}

export interface SiteStatus {
	readonly site: string;
	readonly engine: EngineInfo;
	readonly services: readonly ServiceState[];
	readonly fence: FenceStatus;
	readonly hosts: readonly HostRow[];
	/** What a command that runs now is waiting for. */
	readonly waits: readonly WaitState[];
}

/** What can be said about a site without changing anything or waiting for anybody. */
export async function siteStatus(
	wanted: string | undefined,
	roots: StateRoots,
	signal: AbortSignal,
): Promise<SiteStatus> {
	const name = await chooseSite(wanted, roots);
	const paths = sitePaths(name, roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const engine = await connectSiteEngine(site.bootstrap.spec.engine, paths, signal);
	const observed = await engine.observe(projectName(name), signal);
	return {
		site: name,
		engine: await engine.info(signal),
		services: observed.containers
			.map(({ exitCode, labels, name: container, state }) => ({
				service: labels[label.service] ?? container,
				state,
				exitCode: state === "exited" ? exitCode : undefined,
			}))
			.sort((a, b) => a.service.localeCompare(b.service)),
		fence: await fenceStatus(site, paths, signal),
		hosts: hostRows(site, await openHostStore(paths.hostsDirectory).list(), Date.now()),
		waits: readWaits(paths.waits),
	};
}
