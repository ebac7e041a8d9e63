import type { Sandbox } from "../../lab/sandbox.ts";

const program = "/usr/bin/podman";

/** Does something on a machine whose Podman cannot be started, or it would serve its API for a single command. */
export async function withoutPodman<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
	await sandbox.run("mount", ["--bind", "/dev/null", program]);
	try {
		return await work();
	} finally {
		await sandbox.run("umount", [program]);
	}
}
