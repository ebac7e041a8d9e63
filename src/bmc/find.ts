import { urlHost } from "../resources/ip.ts";
import { openRedfish, type RedfishClient, type Reply } from "./client.ts";
import type { Endpoint, TlsFacts } from "./facts.ts";
import { isServiceRoot } from "./interpret.ts";
import type { Json } from "./json.ts";
import type { ProbeTarget } from "./target.ts";
import { examineTls } from "./tls.ts";

export const SERVICE_ROOT = "/redfish/v1/";

/** A Redfish service that answers; the caller closes its client. */
export interface FoundRedfish {
	readonly endpoint: Endpoint;
	readonly tls: TlsFacts | undefined;
	readonly client: RedfishClient;
	readonly root: Json;
	readonly reply: Reply;
	/** It was asked for by scheme, or it is HTTPS: a password may be sent to it. */
	readonly maySendPassword: boolean;
}

/** Why a place is no Redfish service; the kinds need different advice. */
export interface Miss {
	readonly place: string;
	readonly kind: "unreachable" | "unknown-name" | "tls-refused" | "no-tls" | "not-redfish";
	readonly seen: string;
}

export interface FindLimits {
	readonly signal: AbortSignal;
	readonly connectMs: number;
	readonly requestMs: number;
	readonly now: () => number;
}

/** Tries HTTPS, then HTTP; a port or a scheme that was given is the only one tried. */
export async function findRedfish(
	target: ProbeTarget,
	limits: FindLimits,
): Promise<{ readonly found: FoundRedfish | undefined; readonly misses: readonly Miss[] }> {
	const misses: Miss[] = [];
	for (const transport of ["https", "http"] as const) {
		if (target.transport !== undefined && target.transport !== transport) continue;
		const port = target.port ?? (transport === "https" ? 443 : 80);
		const outcome = await tryPlace({ ...target, port }, transport, limits);
		if ("client" in outcome) return { found: outcome, misses };
		misses.push(outcome);
		// the same port will not be reachable a second later, and what speaks TLS speaks no plain HTTP
		if (target.port !== undefined && outcome.kind !== "no-tls") break;
		if (outcome.kind === "unknown-name") break;
	}
	return { found: undefined, misses };
}

async function tryPlace(
	{ host, port, transport: said }: ProbeTarget & { readonly port: number },
	transport: "https" | "http",
	{ signal, connectMs, requestMs, now }: FindLimits,
): Promise<FoundRedfish | Miss> {
	const place = `${transport}://${urlHost(host)}:${port}`;
	// also for plain HTTP: the handshake tells an unreachable port from one that speaks something else
	const tls = await examineTls(host, port, { deadlineMs: connectMs, signal, now });
	signal.throwIfAborted();
	if (tls.kind === "unreachable") {
		const isName = tls.code === "ENOTFOUND" || tls.code === "EAI_AGAIN";
		return { place, kind: isName ? "unknown-name" : "unreachable", seen: tls.seen };
	}
	if (transport === "https" && tls.kind === "refused") {
		const offers = tls.protocol === undefined ? "" : `; it offers ${tls.protocol} with old keys or ciphers`;
		return { place, kind: "tls-refused", seen: `${tls.seen}${offers}` };
	}
	if (transport === "https" && tls.kind === "no-tls")
		return { place, kind: "no-tls", seen: "something answers, but not TLS" };
	const client = openRedfish({ transport, host, port, signal, requestMs });
	const reply = await client.get(SERVICE_ROOT).catch(async (error: unknown) => {
		await client.close();
		throw error;
	});
	if (reply.status === 200 && isServiceRoot(reply.json))
		return {
			endpoint: {
				transport,
				host,
				port,
				localAddress: tls.kind === "refused" ? undefined : tls.localAddress,
			},
			tls: transport === "https" && tls.kind === "tls" ? tls.tls : undefined,
			...{ client, reply, root: reply.json ?? {} },
			maySendPassword: transport === "https" || said === "http",
		};
	await client.close();
	return { place, kind: "not-redfish", seen: notRedfishText(reply) };
}

function notRedfishText({ status, failure, json }: Reply): string {
	if (status === 0) return failure ?? "no answer";
	return `GET ${SERVICE_ROOT} answers ${status}${json === undefined ? " without a JSON document" : ""}`;
}
