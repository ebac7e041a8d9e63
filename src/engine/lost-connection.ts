import { connect } from "node:net";
import type Docker from "dockerode";

type Callback = (error: unknown, result?: unknown) => void;
type BuildRequest = (options: object, context: object, data: unknown, callback: Callback) => void;

/**
 * Lets a call fail when the engine goes away in the middle of its answer. docker-modem 5 waits for the answer's end
 * alone, which then never comes: nothing is left that could happen, and the process ends as if all were done.
 */
export function failOnLostConnection(docker: Docker, socketPath: string): void {
	const modem = docker.modem as unknown as { buildRequest: BuildRequest };
	const build = modem.buildRequest;
	modem.buildRequest = (options, context, data, callback) => {
		let settled = false;
		const settle: Callback = (error, result) => {
			if (settled) return;
			settled = true;
			callback(error, result);
		};
		const createConnection = () => {
			const socket = connect(socketPath);
			// the end of a complete answer is told first
			return socket.once("close", () => setImmediate(() => settle(lost())));
		};
		build.call(modem, { ...options, createConnection }, context, data, settle);
	};
}

function lost(): Error {
	return Object.assign(new Error("the connection was closed in the middle of an answer"), {
		code: "ECONNRESET",
	});
}
