import type { DesiredContainer } from "./desired.ts";

/** Compose's default for `stop_grace_period`. */
export const defaultGraceSeconds = 10;

/** How long a container may take to stop. */
export function graceOf(container: DesiredContainer): number {
	return seconds(container.spec.stop_grace_period) ?? defaultGraceSeconds;
}

/** Seconds of a Compose duration such as `20s` or `1m30s`; `undefined` for anything else. */
export function seconds(duration: string | undefined): number | undefined {
	const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? "");
	if (match === null || duration === "" || duration === undefined) return undefined;
	const [hours, minutes, rest] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number];
	return hours * 3600 + minutes * 60 + rest;
}
