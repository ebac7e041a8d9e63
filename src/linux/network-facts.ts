import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";

/** Whether this machine routes IPv4 and IPv6 now; false where the kernel has no such family. */
export function forwardingNow(): { readonly v4: boolean; readonly v6: boolean } {
	return {
		v4: isOn("/proc/sys/net/ipv4/ip_forward"),
		v6: isOn("/proc/sys/net/ipv6/conf/all/forwarding"),
	};
}

/** The name servers that a container is given: those of this machine without its loopback. */
export function nameServers(): readonly string[] {
	// systemd-resolved listens on the loopback and keeps the real ones here; engines look there, too
	const texts = ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"].map(textOf);
	return nameServersIn(texts.join("\n"));
}

/** Exported for its test. */
export function nameServersIn(text: string): readonly string[] {
	const found = [...text.matchAll(/^[ \t]*nameserver[ \t]+([0-9a-fA-F.:]+)/gm)].map(
		([, address]) => address ?? "",
	);
	return [...new Set(found)].filter((address) => !address.startsWith("127.") && address !== "::1");
}

/** The addresses of host names; one that does not resolve has none. */
export async function resolveNames(
	names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const entries = names.map(async (name) => {
		const found = await lookup(name, { all: true }).catch(() => []);
		return [name, found.map(({ address }) => address).sort()] as const;
	});
	return new Map(await Promise.all(entries));
}

function isOn(file: string): boolean {
	return textOf(file).trim() === "1";
}

function textOf(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
