import type { Sandbox } from "../sandbox.ts";

/** The command-line program of an engine. */
export type EngineProgram = "podman" | "docker";

/** Each prints one line for each thing that only ironstrap can have made; the lab itself has none of them. */
const looks = (engine: EngineProgram): readonly (readonly [what: string, script: string])[] => [
	["container", `${engine} ps --all --quiet`],
	["volume", `${engine} volume ls --quiet`],
	["network", `${engine} network ls --format '{{.Name}}' | grep -vxE 'podman|bridge|host|none'`],
	["link", "ip -brief link | grep -oE '^(is-|veth|podman)[^ @]*'"],
	["nftables table", "nft list tables | grep ironstrap"],
	["rule", "nft list ruleset | grep -E '10\\.89\\.|is-[0-9a-f]{8}'"],
	["mount", "grep -oE ' /(run|var/lib)/ironstrap/[^ ]*' /proc/self/mountinfo"],
	["process", "pgrep -a 'conmon|containerd-shim|docker-proxy|mariadbd|ironic|apache2|dnsmasq'"],
	["namespace", "ls /run/netns 2>/dev/null | grep -vx neighbour"],
	["file", "find /var/lib/ironstrap /run/ironstrap -mindepth 1 2>/dev/null"],
];

/** What is left of a stack inside the sandbox; empty after a `down --purge` that kept its word. */
export async function leftovers(
	sandbox: Sandbox,
	engine: EngineProgram = "podman",
): Promise<readonly string[]> {
	const found: string[] = [];
	for (const [what, script] of looks(engine)) {
		const { stdout } = await sandbox.run("sh", ["-c", script], { reject: false });
		found.push(
			...stdout
				.split("\n")
				.filter((line) => line.trim() !== "")
				.map((line) => `${what}: ${line.trim()}`),
		);
	}
	return found;
}
