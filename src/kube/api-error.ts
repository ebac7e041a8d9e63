import { errorCode } from "../lib/error-code.ts";
import { IronstrapError } from "../lib/errors.ts";

/** What the API server answered when it did not do what was asked. */
export interface Refusal {
	readonly status: number;
	/** `Status.reason`, e.g. `AlreadyExists`. */
	readonly reason: string | undefined;
	readonly message: string;
}

export type KubeErrorCode =
	| "kube-unauthorized"
	| "kube-forbidden"
	| "kube-conflict"
	| "kube-refused"
	| "kube-failed"
	| "kube-unreachable"
	| "kube-certificate"
	| "kube-not-kubernetes";

/** Reads a `Status` object, or whatever came instead of one. */
export function refusalOf(status: number, body: string): Refusal {
	try {
		const { message, reason } = JSON.parse(body) as { message?: unknown; reason?: unknown };
		if (typeof message === "string")
			return { status, message, reason: typeof reason === "string" ? reason : undefined };
	} catch {
		// a proxy's page, or nothing
	}
	return { status, reason: undefined, message: body.slice(0, 300) };
}

/** `what` was asked: `PATCH BareMetalHost metal3/cp-0`. */
export function refusalError(what: string, server: string, refusal: Refusal): IronstrapError {
	const [code, message, fix] = explain(refusal.status, server);
	return new IronstrapError({
		code,
		message,
		seen: `${what}: HTTP ${refusal.status} ${refusal.message}`.trim(),
		fix,
	});
}

function explain(
	status: number,
	server: string,
): readonly [code: KubeErrorCode, message: string, fix: string] {
	switch (status) {
		case 401:
			return [
				"kube-unauthorized",
				`the cluster at ${server} does not know this user (any more)`,
				"a token may have expired: make a new one, then go on with `ironstrap pivot resume --to KUBECONFIG`",
			];
		case 403:
			return [
				"kube-forbidden",
				`the cluster at ${server} does not allow it`,
				"give the user the rights of `ironstrap pivot rbac`; an admission policy may forbid it as well",
			];
		case 409:
			return [
				"kube-conflict",
				"somebody else has changed the object meanwhile, or owns a field of it",
				"see who it is (`kubectl get -o yaml --show-managed-fields`), then run the command again",
			];
		case 400:
		case 404:
		case 413:
		case 422:
			return [
				"kube-refused",
				"the cluster refuses the object",
				"the message says which field; nothing of it was written",
			];
		default:
			return [
				"kube-failed",
				`the cluster at ${server} could not do it`,
				"look at the API server and etcd, then run the command again: it continues",
			];
	}
}

/** No answer at all. */
export function connectionError(what: string, server: string, error: unknown): IronstrapError {
	const code = errorCode(error);
	const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/.test(code ?? "");
	return new IronstrapError({
		code: certificate ? "kube-certificate" : "kube-unreachable",
		message: certificate
			? `the certificate of ${server} is not trusted`
			: `no answer from the cluster at ${server}`,
		seen: `${what}: ${code ?? (error instanceof Error ? error.message : String(error))}`,
		fix: certificate
			? "the kubeconfig's certificate-authority must be the one that signed it, and it must name this address"
			: "see whether its API server runs and can be reached from here, then run the command again: it continues",
		cause: error,
	});
}
