import type { Sandbox } from "../sandbox.ts";

/** Each prints one line for each thing that only ironstrap can have made; the lab itself has none of them. */
const looks: readonly (readonly [what: string, script: string])[] = [
	["container", "podman ps --all --quiet"],
	["volume", "podman volume ls --quiet"],
	["network", "podman network ls --format '{{.Name}}' | grep -vx podman"],
	["link", "ip -brief link | grep -oE '^(is-|veth|podman)[^ @]*'"],
	["nftables table", "nft list tables | grep ironstrap"],
	["mount", "grep -oE ' /(run|var/lib)/ironstrap/[^ ]*' /proc/self/mountinfo"],
	["process", "pgrep -a 'conmon|mariadbd|ironic|apache2|dnsmasq'"],
	["namespace", "ls /run/netns 2>/dev/null | grep -vx neighbour"],
	["file", "find /var/lib/ironstrap /run/ironstrap -mindepth 1 2>/dev/null"],
];

/** What is left of a stack inside the sandbox; empty after a `down --purge` that kept its word. */
export async function leftovers(sandbox: Sandbox): Promise<readonly string[]> {
	const found: string[] = [];
	for (const [what, script] of looks) {
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
