import { setTimeout as sleep } from "node:timers/promises";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { Agent, request } from "undici";
import { errorCode } from "../lib/error-code.ts";
import { IronstrapError } from "../lib/errors.ts";
import { type Answer, answerError, isBusy, isNodeLocked } from "./api-error.ts";

export interface TransportOptions {
	/** `https://172.22.0.1:6385`; a path prefix is kept. */
	readonly baseUrl: string;
	/** PEM of the CA that signed the API's certificate. Without it the system's CAs are used. */
	readonly ca?: string | undefined;
	/** The name or address that the certificate must be good for, if it is not the URL's own. */
	readonly serverName?: string | undefined;
	readonly username?: string | undefined;
	readonly password?: string | undefined;
	/** Ends every request of this transport. */
	readonly signal?: AbortSignal | undefined;
	/** How long a locked node or a full worker pool is retried, in milliseconds; default 60 000. */
	readonly retryMs?: number | undefined;
	/** How long one request may take, in milliseconds; default 60 000. */
	readonly requestMs?: number | undefined;
}

export interface Call {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** Below the base URL, with its query: `/v1/nodes?limit=1`. */
	readonly path: string;
	readonly body?: unknown;
	/** `1.96`; absent for the version document itself. */
	readonly microversion?: string | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	/** The decoded JSON, `undefined` for an empty body. */
	readonly json: unknown;
}

export interface Transport {
	/** Fails with one of the codes in api-error.ts for anything but 2xx. */
	send(call: Call): Promise<Reply>;
	close(): Promise<void>;
}

/** HTTP towards one Ironic: authentication, CA verification, deadlines, and retries of what passes by itself. */
export function createTransport(options: TransportOptions): Transport {
	const base = options.baseUrl.replace(/\/+$/, "");
	const agent = new Agent({
		connect: {
			...(options.ca === undefined ? {} : { ca: options.ca }),
			...(options.serverName === undefined ? {} : { checkServerIdentity: identityOf(options.serverName) }),
			timeout: 10_000,
		},
		headersTimeout: options.requestMs ?? 60_000,
		bodyTimeout: options.requestMs ?? 60_000,
	});
	const headers: Record<string, string> = { accept: "application/json" };
	if (options.username !== undefined)
		headers.authorization = `Basic ${Buffer.from(`${options.username}:${options.password ?? ""}`).toString("base64")}`;

	async function once(call: Call, signal: AbortSignal): Promise<Answer & Pick<Reply, "headers">> {
		const reply = await request(base + call.path, {
			method: call.method,
			dispatcher: agent,
			signal,
			headers: {
				...headers,
				...(call.microversion === undefined ? {} : { "x-openstack-ironic-api-version": call.microversion }),
				...(call.body === undefined ? {} : { "content-type": "application/json" }),
			},
			body: call.body === undefined ? null : JSON.stringify(call.body),
		});
		return { status: reply.statusCode, headers: reply.headers, body: await reply.body.text() };
	}

	const free = slots(CONNECTIONS);

	/** Nobody waits in a slot: a locked node must not hold up the others. Who waits for a list waits for all nodes. */
	async function inTurn(call: Call, signal: AbortSignal): ReturnType<typeof once> {
		const release = await free(call.method === "GET");
		try {
			return await once(call, AbortSignal.any([signal, AbortSignal.timeout(options.requestMs ?? 60_000)]));
		} finally {
			release();
		}
	}

	async function send(call: Call): Promise<Reply> {
		const name = `${call.method} ${call.path}`;
		const outer = AbortSignal.any([options.signal, call.signal].filter((signal) => signal !== undefined));
		const deadline = Date.now() + (options.retryMs ?? 60_000);
		for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
			outer.throwIfAborted();
			const left = deadline - Date.now() - pauseMs;
			let answer: Awaited<ReturnType<typeof once>>;
			try {
				answer = await inTurn(call, outer);
			} catch (error) {
				outer.throwIfAborted();
				// Ironic's connection to a restarted database or a reloading proxy: gone within seconds. Only what
				// surely did not arrive, or changes nothing, is sent again.
				if (left > 0 && neverArrived(error) && (options.retryMs ?? 60_000) - left < 10_000) {
					await sleep(pauseMs, undefined, { signal: outer });
					continue;
				}
				throw connectionError(name, base, error);
			}
			if (answer.status >= 200 && answer.status < 300) return { ...answer, json: decode(name, answer) };
			if (!(isNodeLocked(answer) || isBusy(answer)) || left <= 0) throw answerError(name, answer);
			await sleep(pauseMs, undefined, { signal: outer });
		}
	}

	return { send, close: () => agent.destroy() };
}

/** Requests at the same time. One API process answers no faster for more, and those that wait would time out. */
const CONNECTIONS = 16;

/** Lets `count` in at a time: the urgent ones first, the others in the order of asking. */
function slots(count: number): (urgent: boolean) => Promise<() => void> {
	let left = count;
	const queue: (() => void)[] = [];
	const release = () => {
		const next = queue.shift();
		if (next === undefined) left += 1;
		else next();
	};
	return async (urgent) => {
		if (left > 0) left -= 1;
		else await new Promise<void>((resolve) => (urgent ? queue.unshift(resolve) : queue.push(resolve)));
		return release;
	};
}

function identityOf(expected: string) {
	return (_host: string, certificate: PeerCertificate) => checkServerIdentity(expected, certificate);
}

function decode(name: string, answer: Answer): unknown {
	if (answer.body === "") return undefined;
	try {
		return JSON.parse(answer.body);
	} catch {
		throw answerError(name, answer);
	}
}

function neverArrived(error: unknown): boolean {
	return ["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT", "EHOSTUNREACH", "ENETUNREACH"].includes(
		errorCode(error) ?? "",
	);
}

function connectionError(name: string, base: string, error: unknown): IronstrapError {
	const code = errorCode(error);
	const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/.test(code ?? "");
	return new IronstrapError({
		code: certificate ? "ironic-certificate" : "ironic-unreachable",
		message: certificate ? `the certificate of ${base} is not trusted` : `no answer from Ironic at ${base}`,
		seen: `${name}: ${code ?? (error instanceof Error ? error.message : String(error))}`,
		fix: certificate
			? "the API's certificate must be signed by the site's CA and name this address: `ironstrap up` renews it"
			: "see whether the stack runs: `ironstrap status`",
		cause: error,
	});
}
