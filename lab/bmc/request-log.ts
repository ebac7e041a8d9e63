import { openSync, writeSync } from "node:fs";

/** One line of the request log. */
export interface LoggedRequest {
	/** ISO 8601, UTC. */
	readonly time: string;
	readonly method: string;
	readonly path: string;
	/** The parsed body with every password replaced by `***`; null if there was none. */
	readonly body: unknown;
	/** Address and port of the caller. */
	readonly source: string;
	readonly auth: "none" | "basic" | "session";
}

/**
 * A log of JSON lines. Each line is with the kernel before the call returns, so that a request that made
 * something happen is on record even if the emulator dies of it.
 */
export function openJsonLog<T>(path: string): (entry: T) => void {
	const file = openSync(path, "a", 0o600);
	return (entry) => {
		writeSync(file, `${JSON.stringify(entry)}\n`);
	};
}

/** Replaces the value of everything that is called a password, and credentials inside URLs, at any depth. */
export function maskSecrets(value: unknown): unknown {
	if (typeof value === "string") return value.replace(/(\w+:\/\/)[^/@\s]*@/g, "$1***@");
	if (Array.isArray(value)) return value.map(maskSecrets);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [
			key,
			/password|token/i.test(key) && inner !== null ? "***" : maskSecrets(inner),
		]),
	);
}
