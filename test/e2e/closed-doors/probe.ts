import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";

/*
 * What a stranger on the provisioning network does; run there as a process of its own: a Task as JSON on standard
 * input, the answer as JSON on standard output.
 */

/** Sends each request as it is and reads until the other side closes. */
export interface Task {
	readonly requests: readonly RawRequest[];
}

export interface RawRequest {
	readonly address: string;
	readonly port: number;
	readonly tls: boolean;
	/** Everything that is sent, line ends included. */
	readonly text: string;
}

/** Whoever answers does so at once; what is dropped is silent for ever. */
const ANSWER_MS = 3_000;

/** The whole answer; what was not answered is an empty text. */
function ask({ address: host, port, text: request, tls }: RawRequest): Promise<string> {
	return new Promise((resolve) => {
		const socket: Socket = tls
			? connectTls({ host, port, rejectUnauthorized: false }, () => socket.write(request))
			: connect({ host, port }, () => socket.write(request));
		let answer = "";
		const end = () => {
			socket.destroy();
			resolve(answer);
		};
		socket.setEncoding("latin1").on("data", (chunk: string) => {
			answer += chunk;
		});
		socket.once("end", end).once("error", end).setTimeout(ANSWER_MS, end);
	});
}

async function main(): Promise<void> {
	const task = JSON.parse(await text(process.stdin)) as Task;
	const answers: string[] = [];
	// a few at a time, in order
	for (let at = 0; at < task.requests.length; at += 16)
		answers.push(...(await Promise.all(task.requests.slice(at, at + 16).map(ask))));
	process.stdout.write(JSON.stringify(answers));
}

if (process.argv[1]?.endsWith("probe.js")) void main();
