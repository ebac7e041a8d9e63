import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

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

/** Longer than this a name server that answers at all never takes. */
const resolveMs = 5000;

/** The addresses of host names; one that does not resolve in time has none. */
export async function resolveNames(
	names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const deadline = new AbortController();
	const late = pause(resolveMs, [] as { address: string }[], { signal: deadline.signal }).catch(() => []);
	const entries = names.map(async (name) => {
		const found = await Promise.race([lookup(name, { all: true }).catch(() => []), late]);
		return [name, found.map(({ address }) => address).sort()] as const;
	});
	try {
		return new Map(await Promise.all(entries));
	} finally {
		deadline.abort();
	}
}

function textOf(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
