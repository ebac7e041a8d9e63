import { setTimeout as sleep } from "node:timers/promises";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { Agent, request } from "undici";
import { IronstrapError } from "../lib/errors.ts";
import { connectionError, refusalError, refusalOf } from "./api-error.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

export interface KubeCall {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** Below the server, with its query. */
	readonly path: string;
	readonly body?: unknown;
	readonly contentType?: string | undefined;
	/** For messages: `PATCH BareMetalHost metal3/cp-0`. */
	readonly what: string;
	readonly signal?: AbortSignal | undefined;
}

export interface KubeTransport {
	/** The decoded answer; `undefined` when there is no such thing (404 to a GET or DELETE). Errors: api-error.ts. */
	send(call: KubeCall): Promise<unknown>;
	close(): Promise<void>;
}

export interface KubeOptions {
	readonly access: ClusterAccess;
	/** Ends every request. */
	readonly signal?: AbortSignal | undefined;
	/** How long an API server that is away or overloaded is asked again, in milliseconds; default 60 000. */
	readonly retryMs?: number | undefined;
	/** How long one request may take, in milliseconds; default 30 000. */
	readonly requestMs?: number | undefined;
}

/** Answers that say "later": overload, an API server that starts or has lost its etcd, a changed object (DELETE). */
const LATER = [429, 500, 502, 503, 504];

/** Answers that an API server gives to everybody, too, until it has read its users and roles from etcd. */
const DENIED = [401, 403];

/** How long a denial is not believed while the API server does not say that it is ready. */
const settlingMs = 15_000;

/**
 * HTTP towards one API server. Everything the pivot sends can be sent twice (reads, server-side apply, merge patches,
 * patches that test first, deletes), so whatever may pass by itself is asked again until `retryMs` have passed.
 */
export function createKubeTransport({
	access,
	signal: outer,
	requestMs = 30_000,
	retryMs = 60_000,
}: KubeOptions): KubeTransport {
	const { ca, clientCertificate, clientKey, server, serverName, token } = access;
	const agent = new Agent({
		connections: 16,
		connect: {
			...(ca === undefined ? {} : { ca }),
			...(clientCertificate === undefined || clientKey === undefined
				? {}
				: { cert: clientCertificate, key: clientKey }),
			...(serverName === undefined
				? {}
				: { servername: serverName, checkServerIdentity: identityOf(serverName) }),
			timeout: 10_000,
		},
	});
	const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

	async function once(
		{ body, contentType, method, path }: Omit<KubeCall, "what">,
		outer: AbortSignal,
		user: Readonly<Record<string, string>> = authorization,
	) {
		const signal = AbortSignal.any([outer, AbortSignal.timeout(requestMs)]);
		const reply = await request(server + path, {
			method,
			dispatcher: agent,
			signal,
			headers: {
				accept: "application/json",
				...user,
				...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
			},
			body: body === undefined ? null : JSON.stringify(body),
		});
		return { status: reply.statusCode, text: await reply.body.text() };
	}

	/** By default everybody may ask, and where nobody may without a name, perhaps this user. */
	async function isReady(signal: AbortSignal): Promise<boolean> {
		const ask = async (user: Readonly<Record<string, string>>) =>
			(await once({ method: "GET", path: "/readyz" }, signal, user)).status;
		const status = await ask({});
		return (DENIED.includes(status) ? await ask(authorization) : status) === 200;
	}

	async function send(call: KubeCall): Promise<unknown> {
		const signal = AbortSignal.any([outer, call.signal].filter((each) => each !== undefined));
		const deadline = Date.now() + retryMs;
		const settled = Date.now() + Math.min(retryMs, settlingMs);
		let wasReady = false;
		for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 3_000)) {
			signal.throwIfAborted();
			const isLast = Date.now() + pauseMs > deadline;
			try {
				const { status, text } = await once(call, signal);
				if (status < 300) return decode(call.what, server, text);
				if (status === 404 && (call.method === "GET" || call.method === "DELETE")) return undefined;
				const isEarly = DENIED.includes(status) && !wasReady && Date.now() < settled;
				if (isLast || !(isEarly || LATER.includes(status)) || isFinal(text))
					throw refusalError(call.what, server, refusalOf(status, text));
				if (isEarly) {
					wasReady = await isReady(signal);
					if (wasReady) continue;
				}
			} catch (error) {
				signal.throwIfAborted();
				if (error instanceof IronstrapError) throw error;
				const failure = connectionError(call.what, server, error);
				if (isLast || failure.code === "kube-certificate") throw failure;
			}
			await sleep(pauseMs, undefined, { signal });
		}
	}

	return { send, close: () => agent.destroy() };
}

/** Server-side apply of a field that the schema does not have is answered with 500, but will not become better. */
function isFinal(text: string): boolean {
	return /not declared in schema|failed to create typed patch object/.test(text);
}

function decode(what: string, server: string, text: string): unknown {
	if (text === "") return {};
	try {
		return JSON.parse(text);
	} catch {
		throw new IronstrapError({
			code: "kube-not-kubernetes",
			message: `what answers at ${server} is not a Kubernetes API server`,
			seen: `${what}: ${text.slice(0, 100)}`,
			fix: "check the server's address in the kubeconfig",
		});
	}
}

function identityOf(expected: string) {
	return (_host: string, certificate: PeerCertificate) => checkServerIdentity(expected, certificate);
}
