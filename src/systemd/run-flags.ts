import type { DesiredContainer } from "../converge/desired.ts";
import { graceOf } from "../converge/duration.ts";
import type { ComposeMount, ComposeService } from "../stack/project.ts";
import type { UnitEngine } from "./unit-options.ts";

/** A flag of `podman run` and `docker run`; without a value it is a switch. */
export interface RunFlag {
	readonly flag: string;
	readonly value?: string | undefined;
}

/**
 * A container of the Compose project in the words of the engine's command, as the API calls of `up` say it
 * (engine/container-body.ts): name, labels and hash are the same, so that every other command finds it.
 */
export function runFlags(container: DesiredContainer, engine: UnitEngine): readonly RunFlag[] {
	const { labels, name, spec } = container;
	return [
		{ flag: "--name", value: name },
		{ flag: "--pull", value: "never" },
		...identity(spec),
		...networkFlags(container, engine),
		...(spec.ports ?? []).map(({ host_ip, protocol, published, target }) => ({
			flag: "--publish",
			value: `${host_ip.includes(":") ? `[${host_ip}]` : host_ip}:${published}:${target}/${protocol}`,
		})),
		...(spec.extra_hosts ?? []).map((value) => ({ flag: "--add-host", value })),
		...(spec.volumes ?? []).map((mount) => ({ flag: "--volume", value: volume(mount, container, engine) })),
		...(spec.tmpfs ?? []).map((value) => ({ flag: "--tmpfs", value })),
		...Object.entries(spec.environment ?? {}).map(([key, value]) => ({
			flag: "--env",
			value: `${key}=${value}`,
		})),
		...confinement(spec, engine),
		...healthFlags(spec),
		...logFlags(spec, engine),
		{ flag: "--stop-timeout", value: String(graceOf(container)) },
		...Object.entries(labels).map(([key, value]) => ({ flag: "--label", value: `${key}=${value}` })),
	];
}

/** What follows the image: Docker's flag takes one word of an entry point only. */
export function runCommand({ command, entrypoint = [] }: ComposeService): readonly string[] {
	return [...entrypoint.slice(1), ...command];
}

/** The flags as arguments of one command line: `--name=…`, `--read-only`. */
export function runArguments(flags: readonly RunFlag[]): readonly string[] {
	return flags.map(({ flag, value }) => (value === undefined ? flag : `${flag}=${value}`));
}

function identity({ entrypoint, init, stop_signal, user }: ComposeService): readonly RunFlag[] {
	return [
		...(user === undefined ? [] : [{ flag: "--user", value: user }]),
		...(entrypoint === undefined ? [] : [{ flag: "--entrypoint", value: entrypoint[0] ?? "" }]),
		...(init === true ? [{ flag: "--init" }] : []),
		...(stop_signal === undefined ? [] : [{ flag: "--stop-signal", value: stop_signal }]),
	];
}

/** Podman takes a member's addresses with the network, Docker beside it. */
function networkFlags({ networkNames, spec }: DesiredContainer, { kind }: UnitEngine): readonly RunFlag[] {
	const [member] = Object.entries(spec.networks ?? {});
	if (member === undefined) return [{ flag: "--network", value: spec.network_mode ?? "none" }];
	const [key, { ipv4_address, mac_address }] = member;
	const name = networkNames[key] ?? key;
	if (kind === "docker")
		return [
			{ flag: "--network", value: name },
			...(ipv4_address === undefined ? [] : [{ flag: "--ip", value: ipv4_address }]),
			...(mac_address === undefined ? [] : [{ flag: "--mac-address", value: mac_address }]),
		];
	const options = [
		...(ipv4_address === undefined ? [] : [`ip=${ipv4_address}`]),
		...(mac_address === undefined ? [] : [`mac=${mac_address}`]),
	];
	return [{ flag: "--network", value: options.length === 0 ? name : `${name}:${options.join(",")}` }];
}

function volume(mount: ComposeMount, { volumeNames }: DesiredContainer, { selinux }: UnitEngine): string {
	const source = mount.type === "volume" ? (volumeNames[mount.source] ?? mount.source) : mount.source;
	const options = [
		mount.read_only === true ? "ro" : "rw",
		...(mount.type === "bind" && selinux ? ["z"] : []),
	];
	return `${source}:${mount.target}:${options.join(",")}`;
}

function confinement(spec: ComposeService, { kind, limits }: UnitEngine): readonly RunFlag[] {
	return [
		...spec.cap_drop.map((value) => ({ flag: "--cap-drop", value })),
		...(spec.cap_add ?? []).map((value) => ({ flag: "--cap-add", value })),
		...(spec.security_opt ?? []).map((value) => ({ flag: "--security-opt", value })),
		...(spec.read_only ? [{ flag: "--read-only" }] : []),
		// Podman's command adds file systems of its own otherwise, which its API does not
		...(spec.read_only && kind === "podman" ? [{ flag: "--read-only-tmpfs", value: "false" }] : []),
		...(limits.memory && spec.mem_limit !== undefined ? [{ flag: "--memory", value: spec.mem_limit }] : []),
		...(limits.pids && spec.pids_limit !== undefined
			? [{ flag: "--pids-limit", value: String(spec.pids_limit) }]
			: []),
	];
}

function healthFlags({ healthcheck }: ComposeService): readonly RunFlag[] {
	if (healthcheck === undefined) return [];
	const [, ...test] = healthcheck.test;
	return [
		{ flag: "--health-cmd", value: test.join(" ") },
		...optional("--health-interval", healthcheck.interval),
		...optional("--health-timeout", healthcheck.timeout),
		...optional("--health-retries", healthcheck.retries),
		...optional("--health-start-period", healthcheck.start_period),
	];
}

/** Podman's output goes to the journal, where `podman logs` reads it, too. */
function logFlags({ logging }: ComposeService, { kind }: UnitEngine): readonly RunFlag[] {
	if (kind === "podman") return [{ flag: "--log-driver", value: "journald" }];
	return [
		{ flag: "--log-driver", value: logging?.driver ?? "json-file" },
		...Object.entries(logging?.options ?? {}).map(([key, value]) => ({
			flag: "--log-opt",
			value: `${key}=${value}`,
		})),
	];
}

function optional(flag: string, value: string | number | undefined): readonly RunFlag[] {
	return value === undefined ? [] : [{ flag, value: String(value) }];
}
