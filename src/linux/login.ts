import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The connection that the person came in by. */
export interface Login {
	/** Where they sit. */
	readonly from: string;
	/** The address of this machine that they connected to. */
	readonly to: string;
}

/** `SSH_CONNECTION`: client address and port, server address and port. */
export function parseSshConnection(text: string): Login | undefined {
	const [from, , to] = text.trim().split(/\s+/);
	if (from === undefined || to === undefined) return undefined;
	const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, "").replace(/%.*$/, "");
	return { from: plain(from), to: plain(to) };
}

/**
 * The SSH connection of this process or of one of its ancestors; `undefined` for a local log-in. `sudo` and `su` drop
 * the variable, but the shell they were typed in still has it, and root may read it there. A terminal multiplexer that
 * was started by another log-in has no such ancestor: then nobody knows.
 */
export async function findLogin(
	environment: Readonly<Record<string, string | undefined>>,
	{ root = "/", pid = process.pid }: { root?: string | undefined; pid?: number | undefined } = {},
): Promise<Login | undefined> {
	const own = environment.SSH_CONNECTION;
	if (own !== undefined) return parseSshConnection(own);
	let current = pid;
	// no chain of processes is that long; a loop cannot happen, but /proc may be somebody's fake
	for (let depth = 0; current > 1 && depth < 64; depth++) {
		const variables = await readFile(join(root, `proc/${current}/environ`), "utf8").catch(() => "");
		const found = variables.split("\0").find((each) => each.startsWith("SSH_CONNECTION="));
		if (found !== undefined) return parseSshConnection(found.slice("SSH_CONNECTION=".length));
		const stat = await readFile(join(root, `proc/${current}/stat`), "utf8").catch(() => "");
		// the command's name, in brackets, may contain anything
		current = Number(
			stat
				.slice(stat.lastIndexOf(")") + 1)
				.trim()
				.split(" ")[1] ?? 0,
		);
	}
	return undefined;
}
