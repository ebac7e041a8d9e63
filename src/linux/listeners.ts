import { execa } from "execa";

/** A socket of this machine on which somebody takes connections or datagrams. */
export interface Listener {
	readonly protocol: "tcp" | "udp";
	/** `127.0.0.1`, `fd00::1`; `0.0.0.0` and `::` are all of one family, `*` is all of both. */
	readonly address: string;
	readonly port: number;
	/** The only interface that it hears, where it is bound to one. */
	readonly interface: string | undefined;
	/** Who holds it; empty for the kernel's own sockets. */
	readonly holders: readonly Holder[];
}

export interface Holder {
	/** The program's name as the kernel knows it, at most 15 characters. */
	readonly name: string;
	readonly pid: number;
}

/** All listening sockets, as `ss` of iproute2 tells them; `undefined` on a machine without it. */
export async function listeners(signal: AbortSignal): Promise<readonly Listener[] | undefined> {
	const { code, failed, stdout } = await execa("ss", ["-H", "-l", "-n", "-t", "-u", "-p"], {
		reject: false,
		stdin: "ignore",
		cancelSignal: signal,
	});
	signal.throwIfAborted();
	if (code === "ENOENT" || failed) return undefined;
	return parseListeners(stdout);
}

/** Output of `ss -H -l -n -t -u -p`, one socket a line. Exported for its test. */
export function parseListeners(text: string): readonly Listener[] {
	return text.split("\n").flatMap((line): Listener[] => {
		// udp UNCONN 0 0 0.0.0.0%virbr0:67 0.0.0.0:* users:(("dnsmasq",pid=812,fd=4))
		const [protocol, , , , local = "", , users = ""] = line.trim().split(/\s+/);
		const match = /^(.+?)(?:%([^:\]]+))?:(\d+)$/.exec(local.replace(/[[\]]/g, ""));
		if ((protocol !== "tcp" && protocol !== "udp") || match?.[1] === undefined) return [];
		return [
			{
				protocol,
				address: match[1],
				port: Number(match[3]),
				interface: match[2],
				holders: [...users.matchAll(/"([^"]*)",pid=(\d+)/g)].map(([, name = "", pid]) => ({
					name,
					pid: Number(pid),
				})),
			},
		];
	});
}
