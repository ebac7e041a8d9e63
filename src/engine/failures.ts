import { IronstrapError } from "../lib/errors.ts";

interface EngineFailure {
	readonly statusCode?: number;
	readonly json?: unknown;
	readonly code?: string;
	readonly message: string;
}

/** The engine's own words: `cause: …` of Podman, `message` of both. */
export function engineMessage(error: unknown): string {
	const { json, message } = error as EngineFailure;
	if (typeof json === "object" && json !== null && "message" in json && typeof json.message === "string")
		return json.message;
	return message;
}

export function statusOf(error: unknown): number | undefined {
	return (error as EngineFailure).statusCode;
}

export function isMissing(error: unknown): boolean {
	return statusOf(error) === 404;
}

/** Docker says 409, Podman 500 and some words. */
export function isConflict(error: unknown): boolean {
	return statusOf(error) === 409 || /already (in use|exists|used)/i.test(engineMessage(error));
}

/** Runs a call of the engine and tells a failure in words for a person. Aborts and our own errors pass. */
export async function asking<T>(
	what: string,
	signal: AbortSignal,
	call: () => Promise<T>,
	fix?: string,
): Promise<T> {
	signal.throwIfAborted();
	try {
		return await call();
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof IronstrapError) throw error;
		const { code } = error as EngineFailure;
		const gone = code === "ECONNREFUSED" || code === "ENOENT" || code === "ECONNRESET";
		throw new IronstrapError({
			code: gone ? "engine-gone" : "engine-refused",
			message: gone
				? `the container engine did not answer when asked to ${what}`
				: `the container engine could not ${what}`,
			seen: engineMessage(error),
			fix:
				fix ??
				(gone
					? "start it (`systemctl start podman.socket` or `docker`) and run this again"
					: adviceFor(error)),
			cause: error,
		});
	}
}

function adviceFor(error: unknown): string {
	const message = engineMessage(error);
	if (/address already in use|port is already allocated/i.test(message))
		return "find who holds the port (`ss -ltnup`), stop it, and run this again";
	if (/cannot assign requested address/i.test(message))
		return "the address is not on this machine (any more): check `ip addr` against Ironic.spec.networking";
	if (/subnet.*(used|overlap)|overlaps|pool overlaps/i.test(message))
		return "set Bootstrap.spec.bridgeSubnet to a subnet that nothing on this machine uses";
	if (/no space left/i.test(message)) return "free some disk space and run this again";
	return "see the engine's own log (`journalctl -u podman`, `journalctl -u docker`), then run this again";
}
