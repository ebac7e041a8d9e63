import type Docker from "dockerode";
import { dial } from "./dial.ts";
import type { EngineInfo, ExecResult } from "./engine.ts";
import { execIn } from "./exec.ts";
import { asking } from "./failures.ts";

interface PodmanContainer {
	readonly State: {
		readonly Health?: { readonly Log?: readonly { readonly ExitCode: number; readonly Output: string }[] };
	};
}

/**
 * Runs a container's health check once, now. Podman runs the one that the container was created with: a session of
 * its `exec` API leaves a process behind for five minutes (`exit_command_delay`), a health check does not. Docker
 * leaves nothing behind, and has no call to run a health check.
 */
export async function runHealthCheck(
	docker: Docker,
	info: EngineInfo,
	name: string,
	command: readonly string[],
	signal: AbortSignal,
): Promise<ExecResult> {
	if (info.kind === "docker") return execIn(docker, name, command, { signal });
	return asking(`check the health of ${name}`, signal, async () => {
		const container = `/v4.0.0/libpod/containers/${encodeURIComponent(name)}`;
		const get = (path: string) => dial(docker, { path, method: "GET", signal, statusCodes: { 200: true } });
		await get(`${container}/healthcheck`);
		// That answer has the status over several runs (and in 4.3 no log): the last run's own result is in here.
		const { State } = (await get(`${container}/json`)) as PodmanContainer;
		const last = State.Health?.Log?.at(-1);
		return { exitCode: last?.ExitCode ?? -1, stdout: last?.Output ?? "", stderr: "" };
	});
}
