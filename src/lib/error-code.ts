/** The system's or library's code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) of an error, or of what caused it. */
export function errorCode(error: unknown): string | undefined {
	for (let at: unknown = error; at instanceof Error; at = at.cause) {
		if (at instanceof AggregateError && at.errors.length > 0) return errorCode(at.errors[0]);
		if ("code" in at && typeof at.code === "string") return at.code;
	}
	return undefined;
}
