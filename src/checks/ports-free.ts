import { IronstrapError } from "../lib/errors.ts";
import { type Holder, type Listener, listeners } from "../linux/listeners.ts";
import type { Check } from "./check.ts";

/** A port that a service of ours will listen on. */
export interface WantedPort {
	readonly protocol: "tcp" | "udp";
	/** `0.0.0.0`: on all addresses of one interface. */
	readonly address: string;
	readonly port: number;
	/** Set for what hears one interface only. */
	readonly interface?: string | undefined;
	/** For a person: `boot files`. */
	readonly use: string;
	/** The field that gives it another number; absent where the protocol fixes it. */
	readonly field?: string | undefined;
}

/**
 * Nobody else listens where our services will. An engine finds out itself, but only in the middle of the work, and
 * without a word about who it is. `wanted` leaves out what our own running containers hold.
 * Codes: `port-taken`, `port-kept-by-engine`.
 */
export function portsFree(wanted: readonly WantedPort[]): Check {
	return {
		id: "ports-free",
		why: "a service cannot listen where another program does",
		async look(signal) {
			// without `ss` the engine's own refusal has to do
			const found = (await listeners(signal)) ?? [];
			return takenPorts(wanted, found).map(({ port, by }) => fault(port, by));
		},
	};
}

/** Pure; one entry for each wanted port that is taken. Exported for its test. */
export function takenPorts(
	wanted: readonly WantedPort[],
	found: readonly Listener[],
): readonly { readonly port: WantedPort; readonly by: Listener }[] {
	return wanted.flatMap((port) => {
		const by = found.find((listener) => collides(port, listener));
		return by === undefined ? [] : [{ port, by }];
	});
}

/** The kernel's rule for two sockets that do not share: same port, overlapping addresses, not two interfaces. */
function collides(wanted: WantedPort, found: Listener): boolean {
	return (
		wanted.protocol === found.protocol &&
		wanted.port === found.port &&
		(wanted.interface === undefined ||
			found.interface === undefined ||
			wanted.interface === found.interface) &&
		overlap(wanted.address, found.address)
	);
}

function overlap(wanted: string, found: string): boolean {
	if (wanted === found || found === "*") return true;
	if (wanted.includes(":") !== found.includes(":")) return false;
	return [wanted, found].some((address) => address === "0.0.0.0" || address === "::");
}

function fault(wanted: WantedPort, by: Listener): IronstrapError {
	const port = `${wanted.protocol.toUpperCase()} port ${wanted.port}`;
	const [first] = by.holders;
	const seen = `${by.protocol} ${by.address}${by.interface === undefined ? "" : `%${by.interface}`}:${by.port}, ${holders(by.holders)}`;
	// its service keeps the ports of a container that failed to start until it next collects garbage
	if (by.holders.length > 0 && by.holders.every(({ name }) => name === "podman"))
		return new IronstrapError({
			code: "port-kept-by-engine",
			message: `Podman has not yet let go of ${port}, which a container had that failed to start`,
			seen,
			fix: "run `ironstrap up` again in a minute or two; restarting Podman's API service frees it at once",
		});
	const elsewhere =
		wanted.field === undefined ? "only one program can serve it" : `or give ${wanted.field} another number`;
	return new IronstrapError({
		code: "port-taken",
		message: `${port} of ${wanted.interface ?? wanted.address}, for ${wanted.use}, is taken by ${first === undefined ? "the kernel" : `${first.name} (process ${first.pid})`}`,
		seen,
		fix: `stop ${first === undefined ? "what holds it" : `${first.name} (\`ps -fp ${first.pid}\` tells more)`}, ${elsewhere}`,
	});
}

function holders(all: readonly Holder[]): string {
	return all.map(({ name, pid }) => `${name} (process ${pid})`).join(", ") || "held by no process";
}
