import type { Secret } from "./core.ts";

export interface Credentials {
	readonly username: string;
	readonly password: string;
}

/**
 * `username` and `password` of a Secret, without surrounding white space: BMO and the operator trim it, because
 * `echo secret | base64` leaves a line end. A missing one is the empty string.
 */
export function credentialsOf(secret: Secret): Credentials {
	return {
		username: (secret.data.username ?? "").trim(),
		password: (secret.data.password ?? "").trim(),
	};
}
