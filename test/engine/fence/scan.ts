import { connect } from "node:net";

/*
 * node scan.js TARGETS, each `ADDRESS:PORT` or `ADDRESS:FIRST-LAST`; prints those that accept a TCP connection, as JSON.
 * Refused and dropped are the same here: not open. Patience is counted in turns of the event loop, each of which takes
 * in what has arrived: on a busy machine a scan takes longer, but sees the same.
 */

const turnMs = 100;
/** A lost SYN is sent again after a second. */
const patienceTurns = 15;
/** Far below the limit of open files. */
const atOnce = 10_000;

interface Attempt {
	readonly turn: number;
	readonly giveUp: () => void;
}

/** In the order in which they began. */
const attempts = new Set<Attempt>();
let turn = 0;

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
			attempts.delete(attempt);
			socket.destroy();
			resolve(open);
		};
		const attempt: Attempt = { turn, giveUp: () => end(false) };
		attempts.add(attempt);
		socket.once("connect", () => end(true)).once("error", () => end(false));
	});
}

function giveUpOnSilence(): void {
	turn += 1;
	for (const attempt of attempts) {
		if (turn - attempt.turn <= patienceTurns) return;
		attempt.giveUp();
	}
}

const clock = setInterval(giveUpOnSilence, turnMs);
const queue = targets(process.argv.slice(2))[Symbol.iterator]();
const open: string[] = [];
await Promise.all(
	Array.from({ length: atOnce }, async () => {
		for (let next = queue.next(); !next.done; next = queue.next())
			if (await isOpen(next.value.address, next.value.port))
				open.push(`${next.value.address}:${next.value.port}`);
	}),
);
clearInterval(clock);
process.stdout.write(JSON.stringify(open.sort()));
