import { IronstrapError } from "../lib/errors.ts";

/** The newest API version whose behaviour this client was written for (Ironic 29.0). */
export const NEWEST_KNOWN = "1.96";

/** The first version with `GET /v1/nodes/{uuid}/inventory`. */
export const OLDEST_USABLE = "1.81";

/** First versions of what is optional here. */
export const SINCE = { includeChildren: "1.83", virtualMedia: "1.93", disablePowerOff: "1.95" } as const;

/**
 * The version to speak: the newest that both sides know. Fails with `ironic-version` when there is none.
 * `minimum` and `maximum` are what the server says of itself, e.g. `1.1` and `1.96`.
 */
export function negotiate(minimum: string, maximum: string): string {
	const version = atLeast(maximum, NEWEST_KNOWN) ? NEWEST_KNOWN : maximum;
	if (atLeast(version, OLDEST_USABLE) && atLeast(version, minimum)) return version;
	throw new IronstrapError({
		code: "ironic-version",
		message: "this Ironic speaks no API version that ironstrap knows",
		seen: `the server has ${minimum} to ${maximum}, ironstrap ${OLDEST_USABLE} to ${NEWEST_KNOWN}`,
		fix: "use an image with Ironic 21.4 or later",
	});
}

/** Compares `1.9` and `1.10` as numbers, not as text. */
export function atLeast(version: string, wanted: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
	return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
