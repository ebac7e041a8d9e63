import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import {
	asfPing,
	authenticationCapabilitiesRequest,
	type IpmiFacts,
	parseIpmiAnswer,
} from "./ipmi-packets.ts";

export const IPMI_PORT = 623;

/** UDP loses packets and BMCs are slow: each question goes out this often. */
const ATTEMPTS = 3;

/** What is known of a BMC that answered the ping alone. */
const PING_ONLY: IpmiFacts = { version: undefined, authenticationTypes: [], anonymousLogin: false };

/**
 * Asks for IPMI over UDP; `undefined` if nobody answers within `deadlineMs`. Needs no log-in and changes nothing.
 * Never throws: a name that does not resolve or a network that refuses is no IPMI.
 */
export function askIpmi(
	host: string,
	{ port = IPMI_PORT, deadlineMs, signal }: { port?: number; deadlineMs: number; signal: AbortSignal },
): Promise<IpmiFacts | undefined> {
	return new Promise((resolve) => {
		const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
		let facts: IpmiFacts | undefined;
		const send = () => {
			for (const packet of [asfPing(1), authenticationCapabilitiesRequest()])
				socket.send(packet, port, host, (error) => {
					if (error !== null) finish();
				});
		};
		const again = setInterval(send, deadlineMs / ATTEMPTS);
		const deadline = setTimeout(() => finish(), deadlineMs);
		let finished = false;
		const finish = () => {
			if (finished) return;
			finished = true;
			clearInterval(again);
			clearTimeout(deadline);
			signal.removeEventListener("abort", finish);
			socket.close();
			resolve(facts);
		};
		signal.addEventListener("abort", finish, { once: true });
		socket.on("error", finish);
		socket.on("message", (packet) => {
			const answer = parseIpmiAnswer(packet);
			if (answer === "pong") facts ??= PING_ONLY;
			else if (answer !== undefined) {
				facts = answer;
				finish();
			}
		});
		send();
	});
}
