import { IronstrapError } from "../lib/errors.ts";

/** How a refused or failed request differs for a caller; the `code` of the IronstrapError it becomes. */
export type IronicErrorCode =
	/** 404, and Ironic itself said so. */
	| "ironic-not-found"
	/** 409: the node is locked, the name or address is taken, or the state forbids it. */
	| "ironic-conflict"
	/** 400, 403, 406 and the rest of 4xx. */
	| "ironic-refused"
	| "ironic-unauthorized"
	/** Nothing answered, or not in time. */
	| "ironic-unreachable"
	/** The certificate is not signed by the CA that was given. */
	| "ironic-certificate"
	/** 5xx. */
	| "ironic-failed"
	/** Something else answers at this address. */
	| "ironic-not-ironic"
	/** The server's API is too old or too new. */
	| "ironic-version";

export interface Answer {
	readonly status: number;
	readonly body: string;
}

/**
 * Ironic's own words in an error body, or `undefined` if Ironic did not write it. The API wraps a JSON text in
 * JSON (`{"error_message": "{\"faultstring\": …}"}`); the basic-auth middleware answers `{"error": {"message": …}}`.
 */
export function faultOf(body: string): string | undefined {
	const outer = parseObject(body);
	if (outer === undefined) return undefined;
	const { error_message: wrapped, error } = outer;
	if (typeof wrapped === "string") {
		const text = parseObject(wrapped)?.faultstring ?? wrapped;
		// What ends up here without a fault is another middleware's text, or httpd's HTML that passed through.
		return typeof text === "string" && text !== "" ? text : undefined;
	}
	if (isObject(wrapped) && typeof wrapped.faultstring === "string") return wrapped.faultstring;
	if (isObject(error) && typeof error.message === "string") return error.message;
	return undefined;
}

/** The error that an answer outside 2xx becomes. `request` names it for a person: `PATCH /v1/nodes/UUID`. */
export function answerError(request: string, { status, body }: Answer): IronstrapError {
	const fault = faultOf(body);
	const code = codeOf(status, fault !== undefined);
	return new IronstrapError({
		code,
		message: `Ironic refused ${request}`,
		seen: `HTTP ${status}: ${fault ?? (excerpt(body) || "no body")}`,
		fix: FIXES[code],
	});
}

/** True for the 409 that ends by itself: another operation holds the node's lock for a moment. */
export function isNodeLocked({ status, body }: Answer): boolean {
	return status === 409 && /\blocked\b/i.test(faultOf(body) ?? "");
}

/** True for the 503 of a conductor whose worker pool is full for a moment. */
export function isBusy({ status, body }: Answer): boolean {
	return (
		status === 503 &&
		/no free conductor workers|requested action cannot be performed/i.test(faultOf(body) ?? "")
	);
}

function codeOf(status: number, byIronic: boolean): IronicErrorCode {
	if (status === 401) return "ironic-unauthorized";
	if (status >= 500) return "ironic-failed";
	if (!byIronic) return "ironic-not-ironic";
	if (status === 404) return "ironic-not-found";
	if (status === 409) return "ironic-conflict";
	return "ironic-refused";
}

const FIXES: Partial<Record<IronicErrorCode, string>> = {
	"ironic-unauthorized":
		"compare the Secret named by Ironic's spec.apiCredentialsName with what the stack was started with: `ironstrap up`",
	"ironic-failed": "look at the conductor: `ironstrap logs ironic`",
	"ironic-not-ironic": "check which service listens on the API address and port: `ironstrap status`",
};

function excerpt(body: string): string {
	return body.replace(/\s+/g, " ").trim().slice(0, 200);
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
