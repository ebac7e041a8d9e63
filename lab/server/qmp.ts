import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { IronstrapError } from "../../src/lib/errors.ts";

export interface QmpEvent {
	readonly event: string;
	readonly data?: Readonly<Record<string, unknown>>;
}

/** A connection to QEMU's monitor: one JSON object a line, answers in the order of the commands. */
export interface Qmp {
	/** Runs a command and returns its `return` value. Errors: `lab-qmp` (also when the connection ends). */
	execute(command: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
	close(): void;
}

/** Connects to a listening monitor socket and leaves negotiation mode. */
export async function connectQmp(path: string, onEvent: (event: QmpEvent) => void): Promise<Qmp> {
	const socket = await open(path);
	const waiting: { resolve(value: unknown): void; reject(error: Error): void; command: string }[] = [];
	const lines = createInterface({ input: socket });
	lines.on("line", (line) => {
		const message = JSON.parse(line) as Record<string, unknown>;
		if (typeof message.event === "string") onEvent(message as unknown as QmpEvent);
		if (!("return" in message) && !("error" in message)) return;
		const command = waiting.shift();
		if ("return" in message) command?.resolve(message.return);
		else command?.reject(failure(command.command, JSON.stringify(message.error)));
	});
	// QEMU may leave at any moment; "close" follows on either.
	socket.on("error", () => undefined);
	lines.on("error", () => undefined);
	socket.once("close", () => {
		for (const { reject, command } of waiting.splice(0)) reject(failure(command, "QEMU closed its monitor"));
	});
	const execute: Qmp["execute"] = (command, parameters = {}) =>
		new Promise((resolve, reject) => {
			if (socket.destroyed) return reject(failure(command, "QEMU closed its monitor"));
			waiting.push({ resolve, reject, command });
			socket.write(`${JSON.stringify({ execute: command, arguments: parameters })}\n`);
		});
	await execute("qmp_capabilities");
	return { execute, close: () => socket.destroy() };
}

function open(path: string): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect(path);
		socket.once("connect", () => {
			socket.off("error", reject);
			resolve(socket);
		});
		socket.once("error", reject);
	});
}

function failure(command: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "lab-qmp",
		message: `QEMU did not execute ${command}`,
		seen,
		fix: "Look at qemu.log in the server's directory",
	});
}
