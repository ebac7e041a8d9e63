import type Docker from "dockerode";
import { dial } from "./dial.ts";
import type { EngineInfo } from "./engine.ts";
import { asking } from "./failures.ts";

interface Version {
	readonly Version: string;
	readonly Components?: readonly { readonly Name: string; readonly Version: string }[];
}

interface Info {
	readonly MemoryLimit?: boolean;
	readonly PidsLimit?: boolean;
	readonly SecurityOptions?: readonly string[];
	readonly Rootless?: boolean;
	readonly DockerRootDir?: string;
	readonly KernelVersion?: string;
	readonly OperatingSystem?: string;
}

interface LibpodInfo {
	readonly host?: { readonly cgroupVersion?: string; readonly cgroupControllers?: readonly string[] };
}

/** Both engines answer both calls; only Podman lists a component of its name. */
export async function engineInfo(docker: Docker, signal: AbortSignal): Promise<EngineInfo> {
	return asking("describe itself", signal, async () => {
		// at the same time: Podman asks the package manager about itself for each, which takes a while
		const [version, info] = (await Promise.all([
			answered(docker.version, docker, signal),
			answered(docker.info, docker, signal),
		])) as [Version, Info];
		const podman = version.Components?.find(({ Name }) => Name === "Podman Engine");
		const controllers = podman === undefined ? undefined : await unifiedControllers(docker, signal);
		const has = (controller: string) => controllers?.includes(controller) !== false;
		const security = info.SecurityOptions ?? [];
		return {
			kind: podman === undefined ? "docker" : "podman",
			version: podman?.Version ?? version.Version,
			rootless: info.Rootless === true || security.some((option) => option.includes("rootless")),
			remapped: security.some((option) => option.includes("name=userns")),
			selinux: security.some((option) => option.includes("selinux")),
			kernel: info.KernelVersion || undefined,
			system: info.OperatingSystem || undefined,
			storage: info.DockerRootDir || undefined,
			limits: {
				memory: info.MemoryLimit === true && has("memory"),
				pids: info.PidsLimit === true && has("pids"),
			},
		};
	});
}

/**
 * The controllers that Podman has in the unified tree; `undefined` in the older kind of tree, of which its Docker-compatible
 * answer tells the truth. In the unified one that answer says `PidsLimit` whatever there is.
 */
async function unifiedControllers(
	docker: Docker,
	signal: AbortSignal,
): Promise<readonly string[] | undefined> {
	const path = "/v4.0.0/libpod/info";
	const { host } = (await dial(docker, {
		path,
		method: "GET",
		signal,
		statusCodes: { 200: true },
	})) as LibpodInfo;
	return host?.cgroupVersion === "v2" ? (host.cgroupControllers ?? []) : undefined;
}

/** Both take options, which their types do not know. */
function answered(call: () => Promise<unknown>, docker: Docker, signal: AbortSignal): Promise<unknown> {
	return (call as (options: object) => Promise<unknown>).call(docker, { abortSignal: signal });
}
