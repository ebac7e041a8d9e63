import type { DesiredContainer } from "../converge/desired.ts";
import { graceOf } from "../converge/duration.ts";
import { containerService, fenceService, stackTarget } from "./names.ts";
import type { UnitOptions } from "./unit-options.ts";
import type { UnitLine } from "./unit-text.ts";
import { words } from "./unit-text.ts";
import { isAtLeast } from "./version.ts";

/**
 * What a container's unit waits for and goes with. A one-shot is required; a service is only wanted: one that ends and
 * comes back would otherwise take Ironic along, in the middle of a deploy.
 */
export function orderingLines(
	container: DesiredContainer,
	{ engine, site }: UnitOptions,
): readonly UnitLine[] {
	const unitOf = (service: string) => containerService(site, service);
	const done = container.awaits.filter(({ condition }) => condition === "service_completed_successfully");
	const started = container.awaits.filter(({ condition }) => condition !== "service_completed_successfully");
	const required = [fenceService(site), ...done.map(({ service }) => unitOf(service))];
	return [
		["Description", `ironstrap site ${site}: ${container.service}`],
		["PartOf", stackTarget(site)],
		["Requires", required.join(" ")],
		...(started.length === 0
			? []
			: [["Wants", started.map(({ service }) => unitOf(service)).join(" ")] as const]),
		["After", [...required, ...started.map(({ service }) => unitOf(service))].join(" ")],
		...(engine.kind === "docker"
			? ([
					["Requires", "docker.service"],
					["After", "docker.service"],
				] as const)
			: []),
		...(container.oneShot
			? []
			: ([
					["StartLimitIntervalSec", "15min"],
					["StartLimitBurst", "8"],
				] as const)),
	];
}

/**
 * How long it may take, and what happens when it ends. A service that ends is started again, ever more slowly where
 * systemd (254 and later) can, and left alone in the state `failed` after its eighth start within 15 minutes.
 */
export function lifeLines(container: DesiredContainer, options: UnitOptions): readonly UnitLine[] {
	const { startSeconds, systemd } = options;
	const time: readonly UnitLine[] = [
		["TimeoutStartSec", String(startSeconds)],
		["TimeoutStopSec", String(graceOf(container) + 15)],
	];
	if (container.oneShot) return [["Type", "oneshot"], ["RemainAfterExit", "yes"], ...time];
	return [
		...healthLines(container, options),
		...time,
		["Restart", "always"],
		["RestartSec", "2"],
		...(isAtLeast(systemd, [254, 0])
			? ([
					["RestartSteps", "5"],
					["RestartMaxDelaySec", "60"],
				] as const)
			: []),
	];
}

export function installLines(site: string): readonly UnitLine[] {
	return [["WantedBy", stackTarget(site)]];
}

/** A unit counts as started once its service's own health check succeeds: what comes after it needs no waiting of its own. */
function healthLines({ name, spec }: DesiredContainer, { engine }: UnitOptions): readonly UnitLine[] {
	if (spec.healthcheck === undefined) return [];
	const [, ...test] = spec.healthcheck.test;
	const loop = 'until "$@" >/dev/null 2>&1; do sleep 1; done';
	return [
		[
			"ExecStartPost",
			words(["/bin/sh", "-c", loop, "health", `/usr/bin/${engine.kind}`, "exec", name, ...test]),
		],
	];
}
