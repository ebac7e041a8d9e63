import { execa } from "execa";
import { IronstrapError } from "../lib/errors.ts";

/** A TCP port of an address, IPv6 without brackets. */
export interface Place {
	readonly address: string;
	readonly port: number;
}

/**
 * The network that a look from outside comes from: addresses for documentation (RFC 5737, RFC 3849), to which nobody has
 * a route.
 */
export const OUTSIDE = { v4: "198.51.100", v6: "2001:db8:0:51" } as const;

/**
 * Which places accept a connection from a network of its own: a network namespace that hangs on this machine by a pair of
 * virtual links, and knows this machine as its router. Everything of it ends with the command, however that ends. Errors:
 * `fence-look-failed`.
 */
export async function reachableFromOutside(
	places: readonly Place[],
	signal: AbortSignal,
): Promise<readonly boolean[]> {
	const words = ["--pdeathsig", "KILL", "unshare", "--net", "--", "bash", "-c", outsideScript];
	return look([...words, "bash", String(process.pid)], places, signal);
}

/** Which places accept a connection from this machine itself. */
export async function reachableFromHere(
	places: readonly Place[],
	signal: AbortSignal,
): Promise<readonly boolean[]> {
	return look(["--pdeathsig", "KILL", "bash", "-c", askScript, "bash"], places, signal);
}

async function look(words: readonly string[], places: readonly Place[], signal: AbortSignal) {
	const targets = places.map(({ address, port }) => `${address}/${port}`);
	const result = await execa("setpriv", [...words, ...targets], {
		reject: false,
		stdin: "ignore",
		timeout: 60_000,
		cancelSignal: signal,
		env: { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env.PATH ?? ""}`, LC_ALL: "C" },
	});
	signal.throwIfAborted();
	if (result.failed)
		throw new IronstrapError({
			code: "fence-look-failed",
			message: "the look at the fence from a network of its own did not work",
			seen: result.stderr.trim() || result.shortMessage,
			fix: "run as root, with `ip`, `nsenter` and `bash` on the machine",
			cause: result,
		});
	const open = new Set(result.stdout.split("\n"));
	return targets.map((target) => open.has(target));
}

/** Arguments: `ADDRESS/PORT`; prints those that accept a connection. A lost SYN is sent again after a second. */
const askScript = `
for target; do
	timeout 3 bash -c 'exec 3<>"/dev/tcp/$0"' "$target" 2>/dev/null && echo "$target" &
done
wait
exit 0`;

/** The first argument is a process in the machine's own network namespace. */
const outsideScript = `
set -e
machine() { nsenter --net="/proc/$pid/ns/net" -- "$@"; }
pid=$1
shift
ip link add eth0 type veth peer name ironstrap-look netns "$pid"
machine ip addr add ${OUTSIDE.v4}.1/30 dev ironstrap-look
machine ip addr add ${OUTSIDE.v6}::1/64 dev ironstrap-look nodad
machine ip link set ironstrap-look up
ip addr add ${OUTSIDE.v4}.2/30 dev eth0
ip addr add ${OUTSIDE.v6}::2/64 dev eth0 nodad
ip link set eth0 up
ip route add default via ${OUTSIDE.v4}.1
ip -6 route add default via ${OUTSIDE.v6}::1
${askScript.replace("exit 0", "")}
# a link that carries nothing would find every port closed
ip neigh show ${OUTSIDE.v4}.1 dev eth0 | grep -q lladdr || { echo "no packet came through" >&2; exit 1; }`;
