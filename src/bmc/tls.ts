import { isIP } from "node:net";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { certificateFacts, distrustText } from "./certificate.ts";
import type { TlsFacts } from "./facts.ts";

/** What was behind a TCP port when TLS was tried on it. */
export type TlsOutcome =
	| { readonly kind: "tls"; readonly tls: TlsFacts; readonly localAddress: string | undefined }
	/** Something answers, but not TLS. */
	| { readonly kind: "no-tls"; readonly localAddress: string | undefined }
	/** TLS of a kind that today's programs refuse. `protocol` is what it speaks when everything is allowed. */
	| { readonly kind: "refused"; readonly seen: string; readonly protocol: string | undefined }
	| { readonly kind: "unreachable"; readonly code: string; readonly seen: string };

/** Codes of OpenSSL for an answer that is no TLS record at all, e.g. "HTTP/1.1 400". */
const NO_TLS =
	/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL|RECORD_LAYER_FAILURE/;
const UNREACHABLE = new Set([
	"ECONNREFUSED",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"ENOTFOUND",
	"EAI_AGAIN",
	"ETIMEDOUT",
	"EADDRNOTAVAIL",
]);

/**
 * Shakes hands with `host:port`, sends nothing, and tells what kind of TLS it is. Ironic's own limits (TLS 1.2, keys
 * that OpenSSL's security level 2 takes) are applied first; only when they fail are they lifted, to name the cause.
 */
export async function examineTls(
	host: string,
	port: number,
	limits: { deadlineMs: number; signal: AbortSignal; now: () => number },
): Promise<TlsOutcome> {
	const strict = await shakeHands(host, port, {}, limits);
	if (strict.kind !== "refused") return strict;
	const lenient = await shakeHands(
		host,
		port,
		{ minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" },
		limits,
	);
	return lenient.kind === "tls" ? { ...strict, protocol: lenient.tls.protocol } : strict;
}

function shakeHands(
	host: string,
	port: number,
	options: ConnectionOptions,
	{ deadlineMs, signal, now }: { deadlineMs: number; signal: AbortSignal; now: () => number },
): Promise<TlsOutcome> {
	return new Promise((resolve) => {
		let connected = false;
		let localAddress: string | undefined;
		const socket = connect({
			...{ host, port, rejectUnauthorized: false, ...options },
			...(isIP(host) === 0 ? { servername: host } : {}),
		});
		const finish = (outcome: TlsOutcome) => {
			signal.removeEventListener("abort", onAbort);
			clearTimeout(deadline);
			socket.destroy();
			resolve(outcome);
		};
		const onAbort = () => finish({ kind: "unreachable", code: "ABORTED", seen: "interrupted" });
		const deadline = setTimeout(
			() =>
				finish(
					connected
						? { kind: "no-tls", localAddress } // it waits for us to speak: another protocol
						: { kind: "unreachable", code: "ETIMEDOUT", seen: `no answer within ${deadlineMs / 1000} s` },
				),
			deadlineMs,
		);
		signal.addEventListener("abort", onAbort, { once: true });
		socket.once("connect", () => {
			connected = true;
			localAddress = socket.localAddress;
		});
		socket.once("secureConnect", () =>
			finish({ kind: "tls", tls: tlsFacts(socket, now()), localAddress: socket.localAddress }),
		);
		socket.once("error", (error: NodeJS.ErrnoException) => finish(failed(error, connected, localAddress)));
	});
}

function failed(
	error: NodeJS.ErrnoException,
	connected: boolean,
	localAddress: string | undefined,
): TlsOutcome {
	const code = error.code ?? "";
	if (!connected || UNREACHABLE.has(code))
		return { kind: "unreachable", code, seen: firstLine(error.message) };
	// a plain HTTP server closes the connection, or answers in clear
	if (NO_TLS.test(code) || NO_TLS.test(error.message) || code === "ECONNRESET")
		return { kind: "no-tls", localAddress };
	return { kind: "refused", seen: code === "" ? firstLine(error.message) : code, protocol: undefined };
}

function tlsFacts(socket: TLSSocket, now: number): TlsFacts {
	const certificate = certificateFacts(socket.getPeerCertificate().raw);
	// Node gives its code here, whatever its type says
	const code = String(socket.authorizationError ?? "");
	return {
		protocol: socket.getProtocol() ?? "unknown",
		certificate,
		distrust: socket.authorized ? undefined : distrustText(code, certificate, now),
	};
}

function firstLine(text: string): string {
	return text.split("\n")[0] ?? "";
}
