import { Agent, request } from "undici";
import type { Credentials } from "../resources/credentials.ts";
import { urlHost } from "../resources/ip.ts";
import { type Json, linkIn, listIn, objectIn } from "./json.ts";

export interface Reply {
	/** 0: no answer; `failure` says why. */
	readonly status: number;
	/** The JSON object of the body; `undefined` for anything else. */
	readonly json: Json | undefined;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly failure?: string;
}

export interface ClientOptions {
	readonly transport: "https" | "http";
	readonly host: string;
	readonly port: number;
	readonly signal: AbortSignal;
	/** How long one request may take, in milliseconds. */
	readonly requestMs: number;
}

/** Reads from one BMC. Never throws for what the BMC does or leaves undone; only for `signal`. */
export interface RedfishClient {
	get(path: string): Promise<Reply>;
	/** Opens a session, or sends the credentials along with each request where there are none. */
	logIn(root: Json, credentials: Credentials): Promise<"accepted" | "refused" | "must-change-password">;
	/** Ends the session and the connections. */
	close(): Promise<void>;
}

/** More is no document of a BMC. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * A client that only ever reads: GET, and POST and DELETE of its own session. The certificate is not verified here:
 * it has been examined before, and what it is worth is told to the person.
 */
export function openRedfish({ transport, host, port, signal, requestMs }: ClientOptions): RedfishClient {
	const origin = `${transport}://${urlHost(host)}:${port}`;
	const agent = new Agent({
		connect: { rejectUnauthorized: false, timeout: requestMs },
		connections: 4,
		headersTimeout: requestMs,
		bodyTimeout: requestMs,
		maxResponseSize: MAX_BYTES,
	});
	let headers: Record<string, string> = { accept: "application/json", "odata-version": "4.0" };
	let session: string | undefined;

	async function send(
		method: "GET" | "POST" | "DELETE",
		path: string,
		body?: object,
		stop: AbortSignal = signal,
	): Promise<Reply> {
		try {
			const reply = await request(origin + path, {
				method,
				dispatcher: agent,
				signal: AbortSignal.any([stop, AbortSignal.timeout(requestMs)]),
				headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			return { status: reply.statusCode, headers: reply.headers, json: asObject(await reply.body.text()) };
		} catch (error) {
			stop.throwIfAborted();
			const { name, message } = error as Error;
			const failure = name === "TimeoutError" ? `no answer within ${requestMs / 1000} s` : message;
			return { status: 0, headers: {}, json: undefined, failure };
		}
	}

	return {
		async get(path) {
			const reply = await send("GET", path);
			// BMCs close connections that were idle for a moment; reading again does no harm
			return reply.status === 0 && /closed|ECONNRESET|socket/i.test(reply.failure ?? "")
				? send("GET", path)
				: reply;
		},
		async logIn(root, { username, password }) {
			const sessions = linkIn(objectIn(root.Links).Sessions) ?? "/redfish/v1/SessionService/Sessions";
			const reply = await send("POST", sessions, { UserName: username, Password: password });
			const token = reply.headers["x-auth-token"];
			if ((reply.status === 201 || reply.status === 200) && typeof token === "string") {
				const place = reply.headers.location ?? reply.json?.["@odata.id"];
				session = typeof place === "string" ? place.replace(/^https?:\/\/[^/]+/i, "") : undefined;
				headers = { ...headers, "x-auth-token": token };
				return wantsNewPassword(reply.json) ? "must-change-password" : "accepted";
			}
			if (wantsNewPassword(reply.json)) return "must-change-password";
			if ([400, 401, 403].includes(reply.status)) return "refused";
			// no session service, or no session left: DSP0266 §13.3.1 asks for Basic as well
			const basic = Buffer.from(`${username}:${password}`).toString("base64");
			headers = { ...headers, authorization: `Basic ${basic}` };
			return "accepted";
		},
		async close() {
			// BMCs have few sessions: ours goes also when the probe was interrupted
			if (session !== undefined) await send("DELETE", session, undefined, AbortSignal.timeout(requestMs));
			await agent.destroy();
		},
	};
}

/** DSP0266 §13.2.6: message `PasswordChangeRequired` on the log-in or on anything after it. */
export function wantsNewPassword(json: Json | undefined): boolean {
	if (json === undefined) return false;
	const info = [json["@Message.ExtendedInfo"], objectIn(json.error)["@Message.ExtendedInfo"]];
	return info
		.flatMap(listIn)
		.some((each) => /PasswordChangeRequired$/.test(String(objectIn(each).MessageId)));
}

function asObject(text: string): Json | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
	} catch {
		return undefined;
	}
}
