import type { DesiredContainer, DesiredProject } from "../converge/desired.ts";
import {
	containerService,
	fenceService,
	quadletDirectory,
	quadletFile,
	stackTarget,
	unitDirectory,
} from "./names.ts";
import { plainServiceLines } from "./plain-service.ts";
import { firstQuadlet, quadletLines } from "./quadlet-keys.ts";
import { runCommand, runFlags } from "./run-flags.ts";
import { installLines, lifeLines, orderingLines } from "./service-lines.ts";
import type { UnitEngine, UnitOptions } from "./unit-options.ts";
import { literal, type UnitLine, unitText, words } from "./unit-text.ts";
import { isAtLeast } from "./version.ts";

export interface UnitFile {
	/** Absolute. */
	readonly path: string;
	readonly content: string;
	/** The unit that systemd knows. */
	readonly unit: string;
	/** The Compose service that it runs, if it runs one. */
	readonly service: string | undefined;
}

/**
 * The stack as systemd is to run it: Quadlet files where Podman has a generator for them, else complete services; and what
 * belongs to all of them. Networks and volumes are made by the fence's unit: a unit that made a volume would make an
 * empty one in place of a database that is gone.
 */
export function siteUnits(desired: DesiredProject, options: UnitOptions): readonly UnitFile[] {
	const quadlet = usesQuadlet(options.engine);
	return [
		targetUnit(options),
		fenceUnit(options),
		...desired.containers.map((container) =>
			quadlet ? quadletUnit(container, options) : plainUnit(container, options),
		),
	];
}

export function usesQuadlet({ kind, version }: UnitEngine): boolean {
	return kind === "podman" && isAtLeast(version, firstQuadlet);
}

const comment = "Written by ironstrap, which writes it anew: `ironstrap systemd remove` takes it away.";

function targetUnit({ site }: UnitOptions): UnitFile {
	const unit = stackTarget(site);
	return {
		path: `${unitDirectory}/${unit}`,
		unit,
		service: undefined,
		content: unitText(comment, [
			{ name: "Unit", lines: [["Description", `ironstrap site ${site}: the whole stack`]] },
			{ name: "Install", lines: [["WantedBy", "multi-user.target"]] },
		]),
	};
}

/** The command waits by itself for what comes late: units whose requirement has failed once would stay down. */
function fenceUnit({ engine, program, site, startSeconds }: UnitOptions): UnitFile {
	const unit = fenceService(site);
	const engineUnit = engine.kind === "docker" ? "docker.service" : "podman.socket";
	const verb = (name: string) => words([...program, "systemd", name, "--site", site]);
	const lines: readonly UnitLine[] = [
		["Description", `ironstrap site ${site}: configuration, networks and fence`],
		["PartOf", stackTarget(site)],
		["Wants", `network-online.target ${engineUnit}`],
		["After", `network-online.target nftables.service firewalld.service ${engineUnit}`],
	];
	return {
		path: `${unitDirectory}/${unit}`,
		unit,
		service: undefined,
		content: unitText(comment, [
			{ name: "Unit", lines },
			{
				name: "Service",
				lines: [
					["Type", "oneshot"],
					["RemainAfterExit", "yes"],
					["ExecStart", verb("prepare")],
					["ExecStop", verb("release")],
					["TimeoutStartSec", String(startSeconds + 60)],
					["TimeoutStopSec", "60"],
				],
			},
			{ name: "Install", lines: installLines(site) },
		]),
	};
}

function quadletUnit(container: DesiredContainer, options: UnitOptions): UnitFile {
	const { engine, site } = options;
	const { service, spec } = container;
	return {
		path: `${quadletDirectory}/${quadletFile(site, service)}`,
		unit: containerService(site, service),
		service,
		content: unitText(comment, [
			{ name: "Unit", lines: orderingLines(container, options) },
			{
				name: "Container",
				lines: [
					["Image", literal(spec.image)],
					...runFlags(container, engine).flatMap((flag) => quadletLines(flag, engine.version)),
					["Exec", words(runCommand(spec))],
				],
			},
			{ name: "Service", lines: lifeLines(container, options) },
			{ name: "Install", lines: installLines(site) },
		]),
	};
}

function plainUnit(container: DesiredContainer, options: UnitOptions): UnitFile {
	const { site } = options;
	const { service } = container;
	const unit = containerService(site, service);
	return {
		path: `${unitDirectory}/${unit}`,
		unit,
		service,
		content: unitText(comment, [
			{ name: "Unit", lines: orderingLines(container, options) },
			{
				name: "Service",
				lines: [...plainServiceLines(container, options.engine), ...lifeLines(container, options)],
			},
			{ name: "Install", lines: installLines(site) },
		]),
	};
}
