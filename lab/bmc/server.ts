import { readFileSync } from "node:fs";
import {
	createServer as createHttp,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { createServer as createHttps } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, fault, notFound } from "./answers.ts";
import { type LoggedRequest, maskSecrets } from "./request-log.ts";
import { FIRMWARE_ROUTES } from "./routes/firmware.ts";
import { INVENTORY_ROUTES } from "./routes/inventory.ts";
import { MANAGER_ROUTES } from "./routes/managers.ts";
import { type Bmc, findRoute, type Route } from "./routes/route.ts";
import { SERVICE_ROUTES } from "./routes/service.ts";
import { SYSTEM_ROUTES } from "./routes/systems.ts";
import { isBasic } from "./sessions.ts";

const ROUTES = [
	...SERVICE_ROUTES,
	...SYSTEM_ROUTES,
	...INVENTORY_ROUTES,
	...FIRMWARE_ROUTES,
	...MANAGER_ROUTES,
];

/** The Redfish service. Each request: read, logged, faults, authentication, route. Not listening yet. */
export function createBmcServer(bmc: Bmc, log: (entry: LoggedRequest) => void): Server {
	const handle = (request: IncomingMessage, response: ServerResponse) => {
		serve(bmc, log, request, response).catch((error: unknown) => {
			if (response.headersSent) response.destroy();
			else
				send(
					request,
					response,
					fault(500, "InternalError", error instanceof Error ? error.message : String(error)),
				);
		});
	};
	const { tls } = bmc.config;
	const server =
		tls === undefined
			? createHttp(handle)
			: createHttps({ cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }, handle);
	// Callers reuse a connection after minutes. One that is closed in that very moment is a failed request for them.
	server.keepAliveTimeout = 0;
	server.headersTimeout = 0;
	server.requestTimeout = 0;
	return server;
}

async function serve(
	bmc: Bmc,
	log: (entry: LoggedRequest) => void,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { method = "GET", socket } = request;
	const path = (request.url ?? "/").replace(/\?.*$/, "").replace(/(.)\/+$/, "$1");
	const text = await readAll(request);
	const body = parse(text);
	log({
		time: new Date().toISOString(),
		method,
		path,
		body:
			body === undefined
				? `(${text.length} bytes that are no JSON object)`
				: text === ""
					? null
					: maskSecrets(body),
		source: `${socket.remoteAddress}:${socket.remotePort}`,
		auth: authKind(request),
	});
	const delay = bmc.faults.take("delay", method, path);
	if (delay !== undefined) await pause(delay.milliseconds);
	if (bmc.faults.take("drop", method, path) !== undefined) {
		socket.destroy();
		return;
	}
	const status = bmc.faults.take("status", method, path);
	const answer =
		status === undefined
			? await route(bmc, request, { method, path, body })
			: fault(status.status, "GeneralError", "The emulator was told to fail.");
	if (bmc.faults.take("drop-answer", method, path) !== undefined) socket.destroy();
	else send(request, response, { ...answer, body: answer.body && { "@odata.id": path, ...answer.body } });
}

async function route(
	bmc: Bmc,
	request: IncomingMessage,
	{ method, path, body }: { method: string; path: string; body: Record<string, unknown> | undefined },
): Promise<Answer> {
	const found = findRoute(ROUTES, path);
	if (found?.route.open !== true && !authenticated(bmc, request, method, path)) {
		return fault(401, "NoValidSession", "There is no valid session established with the implementation.");
	}
	if (found === undefined) return notFound(path);
	const handler = found.route[(method === "HEAD" ? "GET" : method) as "GET"];
	if (handler === undefined) return methodNotAllowed(found.route);
	if (body === undefined) return fault(400, "MalformedJSON", "The request body is not a JSON object.");
	return handler({ bmc, method, path, params: found.params, body });
}

function authenticated(bmc: Bmc, request: IncomingMessage, method: string, path: string): boolean {
	if (bmc.faults.take("reject-credentials", method, path) !== undefined) return false;
	const token = request.headers["x-auth-token"];
	if (typeof token === "string") return bmc.sessions.accepts(token);
	return isBasic(request.headers.authorization ?? "", bmc.config.username, bmc.config.password);
}

function authKind({ headers }: IncomingMessage): LoggedRequest["auth"] {
	if (headers["x-auth-token"] !== undefined) return "session";
	return headers.authorization === undefined ? "none" : "basic";
}

function methodNotAllowed(found: Route): Answer {
	const Allow = ["GET", "POST", "PATCH", "DELETE"].filter((method) => method in found).join(", ");
	return { ...fault(405, "OperationNotAllowed", "The method is not allowed here."), headers: { Allow } };
}

/** No ETag is sent: clients would have to send it back, and nothing here needs it. */
function send(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Answer): void {
	const text = body === undefined ? "" : JSON.stringify(body);
	response.writeHead(status, {
		"OData-Version": "4.0",
		...(body === undefined ? {} : { "Content-Type": "application/json" }),
		...(status === 204 ? {} : { "Content-Length": Buffer.byteLength(text) }),
		...headers,
	});
	response.end(request.method === "HEAD" ? undefined : text);
}

async function readAll(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}

/** The JSON object of a body, {} for an empty one, undefined for anything else. */
function parse(text: string): Record<string, unknown> | undefined {
	if (text.trim() === "") return {};
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? (value as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}
