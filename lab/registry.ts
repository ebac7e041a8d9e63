import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CacheOptions, cached, cacheRoot } from "./cache.ts";
import { resolveTree, runInTree } from "./debian-tree.ts";
import { LAB_RUN_DIRECTORY } from "./sandbox/mounts.ts";
import type { Sandbox } from "./sandbox.ts";
import { until } from "./until.ts";

/** Where the registry answers inside the sandbox, over plain HTTP. */
export const REGISTRY = "127.0.0.1:5000";

/** Debian's container registry (docker-registry), out of a tree of its packages; the path of the program. */
export async function registryProgram(options: CacheOptions = {}): Promise<string> {
	const root = options.root ?? cacheRoot();
	const signal = options.signal ?? new AbortController().signal;
	const packages = ["docker-registry"];
	const tree = await resolveTree("the registry", { suite: "bookworm", packages }, [], root, signal);
	const { folder } = await cached(
		{
			name: "registry",
			inputs: [tree.versions],
			build: (into) =>
				runInTree(
					"the registry",
					tree,
					[`cp "$1/usr/bin/docker-registry" ${into}/docker-registry`],
					into,
					signal,
				),
		},
		options,
	);
	return join(folder, "docker-registry");
}

/**
 * Starts a registry in the sandbox, for one account, and tells the sandbox's engine that it speaks plain HTTP: before
 * Podman's service is started.
 *
 * @param htpasswd one line, bcrypt
 */
export async function startRegistry(sandbox: Sandbox, htpasswd: string): Promise<void> {
	const program = await registryProgram();
	const file = (name: string) => `${LAB_RUN_DIRECTORY}/registry-${name}`;
	writeFileSync(sandbox.path(file("htpasswd")), `${htpasswd}\n`, { mode: 0o600 });
	const configuration = {
		version: 0.1,
		storage: { filesystem: { rootdirectory: file("data") }, delete: { enabled: true } },
		http: { addr: REGISTRY },
		auth: { htpasswd: { realm: "lab", path: file("htpasswd") } },
	};
	writeFileSync(sandbox.path(file("config.yml")), JSON.stringify(configuration));
	await sandbox.run(
		"sh",
		["-ec", 'mkdir -p "$1" && cat >"$1/lab.conf"', "sh", "/etc/containers/registries.conf.d"],
		{
			input: `[[registry]]\nlocation = "${REGISTRY}"\ninsecure = true\n`,
		},
	);
	sandbox.spawn(program, ["serve", file("config.yml")], { log: sandbox.path(file("log")) });
	const answers = async () => {
		const { stdout } = await sandbox.run(
			"curl",
			["-s", "-o", "/dev/null", "-w", "%{http_code}", `http://${REGISTRY}/v2/`],
			{
				reject: false,
			},
		);
		return stdout === "401";
	};
	await until(answers, { what: "the registry", deadlineMs: 20_000 });
}
