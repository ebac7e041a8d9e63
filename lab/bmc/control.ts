import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Fault } from "./faults.ts";
import type { Bmc } from "./routes/route.ts";
import { RESET_TYPES, type ResetType } from "./system.ts";

/*
 * The switches behind the emulator's back, as HTTP with JSON on a unix socket. None of it is Redfish and none of
 * it is on record in the request log.
 *
 *   GET  /servers                what each server is doing
 *   POST /servers/NAME/reset     {"ResetType": …}: somebody at the machine's own button
 *   GET  /faults, PUT /faults    the list of faults (faults.ts)
 *   POST /sessions/forget        as after a restart of the BMC
 */

/** State of a server as the control socket tells it. */
export interface ServerState {
	readonly name: string;
	readonly power: "On" | "Off";
	readonly powerOns: number;
	readonly boot: { readonly enabled: string; readonly target: string; readonly mode: string };
	/** URL of the inserted medium. */
	readonly medium: string | null;
}

export function createControlServer(bmc: Bmc): Server {
	return createServer((request, response) => {
		control(bmc, request).then(
			(answer) => reply(response, answer === undefined ? 404 : 200, answer ?? null),
			(error: unknown) => reply(response, 400, { error: String(error) }),
		);
	});
}

/** The answer as JSON; undefined: there is no such switch. */
async function control(bmc: Bmc, request: IncomingMessage): Promise<unknown> {
	const [, noun, name, verb] = (request.url ?? "").split("/");
	const body = await readJson(request);
	switch (`${request.method} ${noun}`) {
		case "GET servers":
			return states(bmc);
		case "GET faults":
			return bmc.faults.list();
		case "PUT faults":
			bmc.faults.set(body as Fault[]);
			return bmc.faults.list();
		case "POST sessions":
			if (name === "forget") bmc.sessions.forget();
			return bmc.sessions.ids();
		case "POST servers": {
			const system = [...bmc.systems.values()].find((candidate) => candidate.view().config.name === name);
			const type = (body as { ResetType?: ResetType }).ResetType;
			if (system === undefined || verb !== "reset" || type === undefined || !RESET_TYPES.includes(type))
				return undefined;
			await system.reset(type);
			return states(bmc);
		}
		default:
			return undefined;
	}
}

function states(bmc: Bmc): ServerState[] {
	return [...bmc.systems.values()].map((system) => {
		const { config, power, powerOns, boot, medium } = system.view();
		return { name: config.name, power, powerOns, boot, medium: medium?.url ?? null };
	});
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString("utf8");
	return text === "" ? {} : JSON.parse(text);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "Content-Type": "application/json" });
	response.end(JSON.stringify(body));
}
