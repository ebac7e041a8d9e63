import type Docker from "dockerode";
import type { DesiredContainer } from "../converge/desired.ts";
import { seconds } from "../converge/duration.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { ComposeMount, ComposeService } from "../stack/project.ts";
import type { EngineInfo } from "./engine.ts";

/** A Compose service in the words of the engine API, with what differs between engines. */
export function containerBody(container: DesiredContainer, info: EngineInfo): Docker.ContainerCreateOptions {
	const { spec, name, labels } = container;
	const [network] = Object.entries(spec.networks ?? {});
	const mac = network?.[1].mac_address;
	const entrypoint = spec.entrypoint;
	return {
		name,
		Image: spec.image,
		Cmd: [...spec.command],
		...(entrypoint === undefined ? {} : { Entrypoint: [...entrypoint] }),
		...(spec.user === undefined ? {} : { User: spec.user }),
		Env: Object.entries(spec.environment ?? {}).map(([key, value]) => `${key}=${value}`),
		Labels: { ...labels },
		...(spec.stop_signal === undefined ? {} : { StopSignal: spec.stop_signal }),
		StopTimeout: seconds(spec.stop_grace_period) ?? 10,
		...(spec.healthcheck === undefined ? {} : { Healthcheck: healthcheck(spec.healthcheck) }),
		ExposedPorts: Object.fromEntries(
			(spec.ports ?? []).map(({ target, protocol }) => [`${target}/${protocol}`, {}]),
		),
		// Docker before API 1.44 knows it only here, Podman only at the endpoint.
		...(mac === undefined || info.kind === "podman" ? {} : { MacAddress: mac }),
		HostConfig: hostConfig(container, info),
		...(network === undefined
			? {}
			: {
					NetworkingConfig: {
						EndpointsConfig: {
							[networkName(container, network[0])]: {
								...(network[1].ipv4_address === undefined
									? {}
									: { IPAMConfig: { IPv4Address: network[1].ipv4_address } }),
								...(mac === undefined ? {} : { MacAddress: mac }),
							},
						},
					},
				}),
	};
}

function hostConfig(container: DesiredContainer, info: EngineInfo): Docker.HostConfig {
	const { spec } = container;
	const [network] = Object.keys(spec.networks ?? {});
	return {
		NetworkMode: spec.network_mode ?? (network === undefined ? "none" : networkName(container, network)),
		PortBindings: portBindings(spec),
		Binds: (spec.volumes ?? []).map((mount) => bind(mount, container, info)),
		Tmpfs: Object.fromEntries((spec.tmpfs ?? []).map((entry) => splitOnce(entry, ":"))),
		CapDrop: [...spec.cap_drop],
		CapAdd: [...(spec.cap_add ?? [])],
		SecurityOpt: [...(spec.security_opt ?? [])],
		ReadonlyRootfs: spec.read_only,
		RestartPolicy: restartPolicy(spec.restart),
		ExtraHosts: [...(spec.extra_hosts ?? [])],
		...(spec.init === undefined ? {} : { Init: spec.init }),
		...(info.limits.memory && spec.mem_limit !== undefined ? { Memory: bytes(spec.mem_limit) } : {}),
		...(info.limits.pids && spec.pids_limit !== undefined ? { PidsLimit: spec.pids_limit } : {}),
		...logConfig(spec, info),
	};
}

/** Podman picks its log driver by itself (journald or a file, as the machine is set up) but takes the size. */
function logConfig(spec: ComposeService, info: EngineInfo): Docker.HostConfig {
	const options = spec.logging?.options;
	if (options === undefined) return {};
	if (info.kind === "docker")
		return { LogConfig: { Type: spec.logging?.driver ?? "json-file", Config: { ...options } } };
	const size = options["max-size"];
	return size === undefined ? {} : { LogConfig: { Type: "", Config: { "max-size": size } } };
}

function bind(mount: ComposeMount, container: DesiredContainer, info: EngineInfo): string {
	const source = mount.type === "volume" ? container.volumeNames[mount.source] : mount.source;
	if (source === undefined || source.includes(":"))
		throw new IronstrapError({
			code: "mount-source-invalid",
			message: `${container.service} cannot mount ${JSON.stringify(mount.source)}`,
			fix: "use a path without a colon",
		});
	const options = [mount.read_only === true ? "ro" : "rw"];
	// SELinux lets a container read only what carries the container label; several of ours share directories.
	if (mount.type === "bind" && info.selinux) options.push("z");
	return `${source}:${mount.target}:${options.join(",")}`;
}

function portBindings(spec: ComposeService): Record<string, { HostIp: string; HostPort: string }[]> {
	const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
	for (const { target, protocol, host_ip, published } of spec.ports ?? []) {
		bindings[`${target}/${protocol}`] ??= [];
		bindings[`${target}/${protocol}`]?.push({ HostIp: host_ip, HostPort: published });
	}
	return bindings;
}

function restartPolicy(restart: string | undefined): Docker.HostRestartPolicy {
	const [name, count] = splitOnce(restart ?? "no", ":");
	return { Name: name, ...(count === "" ? {} : { MaximumRetryCount: Number(count) }) };
}

/** Durations in nanoseconds. Docker runs it by itself; Podman keeps it for those who have systemd. */
function healthcheck({
	test,
	interval,
	timeout,
	retries,
	start_period,
}: NonNullable<ComposeService["healthcheck"]>) {
	const nanoseconds = (duration: string | undefined) => (seconds(duration) ?? 0) * 1e9;
	return {
		Test: [...test],
		Interval: nanoseconds(interval),
		Timeout: nanoseconds(timeout),
		StartPeriod: nanoseconds(start_period),
		...(retries === undefined ? {} : { Retries: retries }),
	};
}

function networkName(container: DesiredContainer, key: string): string {
	return container.networkNames[key] ?? key;
}

/** `512m` → bytes. */
function bytes(text: string): number {
	const [, amount = "0", unit = ""] = /^(\d+)([bkmg]?)b?$/i.exec(text) ?? [];
	return Number(amount) * 1024 ** "bkmg".indexOf(unit.toLowerCase() || "b");
}

function splitOnce(text: string, separator: string): readonly [string, string] {
	const at = text.indexOf(separator);
	return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
