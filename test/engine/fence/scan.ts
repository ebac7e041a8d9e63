import { connect } from "node:net";

/*
 * node scan.js TARGETS, each `ADDRESS:PORT` or `ADDRESS:FIRST-LAST`; prints those that accept a TCP connection, as JSON.
 * Refused and dropped are the same here: not open.
 */

const patienceMs = 1500;
const atOnce = 1500;

function* targets(texts: readonly string[]): Iterable<{ address: string; port: number }> {
	for (const text of texts) {
		const at = text.lastIndexOf(":");
		const [first = 0, last = first] = text
			.slice(at + 1)
			.split("-")
			.map(Number);
		for (let port = first; port <= last; port++) yield { address: text.slice(0, at), port };
	}
}

function isOpen(host: string, port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ host, port });
		const end = (open: boolean) => {
			socket.destroy();
			resolve(open);
		};
		socket.setTimeout(patienceMs, () => end(false));
		socket.once("connect", () => end(true)).once("error", () => end(false));
	});
}

const queue = targets(process.argv.slice(2))[Symbol.iterator]();
const open: string[] = [];
await Promise.all(
	Array.from({ length: atOnce }, async () => {
		for (let next = queue.next(); !next.done; next = queue.next())
			if (await isOpen(next.value.address, next.value.port))
				open.push(`${next.value.address}:${next.value.port}`);
	}),
);
process.stdout.write(JSON.stringify(open.sort()));
