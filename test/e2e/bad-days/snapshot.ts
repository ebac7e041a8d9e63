import type { Sandbox } from "../../../lab/sandbox.ts";

/** What must be as before when a command refused to begin: one line for each thing. */
export interface Snapshot {
	readonly containers: readonly string[];
	readonly volumes: readonly string[];
	readonly networks: readonly string[];
	/** Below the state and the run directory, with a checksum. */
	readonly files: readonly string[];
}

/** The machine as the engine and the disk tell it; needs no engine service. */
export async function snapshot(sandbox: Sandbox): Promise<Snapshot> {
	const lines = async (script: string) => {
		const { stdout } = await sandbox.run("sh", ["-ec", script]);
		return stdout
			.split("\n")
			.filter((line) => line !== "")
			.sort();
	};
	return {
		containers: await lines(
			"podman ps --all --no-trunc --format '{{.ID}} {{.Names}} {{.StartedAt}} {{.Exited}}'",
		),
		volumes: await lines("podman volume ls --format '{{.Name}} {{.CreatedAt}}'"),
		networks: await lines(
			"podman network ls --no-trunc --format '{{.ID}} {{.Name}}' | grep -v ' podman$' || true",
		),
		files: await lines(
			"for d in /var/lib/ironstrap /run/ironstrap; do [ ! -d $d ] || find $d -mindepth 1 -type d -o -type f -exec sha256sum {} +; done",
		),
	};
}

/** `NAME STATE POWER MAINTENANCE` of every node, as Ironic tells it. */
export async function nodes(sandbox: Sandbox, site: string): Promise<readonly string[]> {
	const secret = async (name: string) => {
		const { stdout } = await sandbox.run("cat", [`/var/lib/ironstrap/${site}/secrets/${name}.json`]);
		return (JSON.parse(stdout) as { value: string }).value;
	};
	const { stdout } = await sandbox.run("curl", ["--silent", "--show-error", "--insecure", "--config", "-"], {
		input: [
			`user = "${await secret("api-username")}:${await secret("api-password")}"`,
			'url = "https://127.0.0.1:6385/v1/nodes"',
			'header = "X-OpenStack-Ironic-API-Version: 1.90"',
		].join("\n"),
	});
	const answer = JSON.parse(stdout) as { nodes: Readonly<Record<string, string | boolean | null>>[] };
	return answer.nodes
		.map((node) =>
			[node.name, node.provision_state, node.power_state, node.maintenance].map(String).join(" "),
		)
		.sort();
}
