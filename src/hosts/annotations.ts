import type { BareMetalHost } from "../resources/bare-metal-host.ts";

/**
 * BMO's annotations that ask for something. BMO takes a one-shot annotation away when it has answered; a manifest is
 * the user's, so what was answered is stored with the host instead, and forgotten when the annotation is gone.
 * https://github.com/metal3-io/baremetal-operator/blob/main/apis/metal3.io/v1alpha1/baremetalhost_types.go
 */
const PAUSED = "baremetalhost.metal3.io/paused";
const DETACHED = "baremetalhost.metal3.io/detached";
const INSPECT = "inspect.metal3.io";
const REBOOT = "reboot.metal3.io";

export type OneShot = "inspect" | "reboot";

export type RebootMode = "hard" | "soft";

const NAMES: Readonly<Record<OneShot, string>> = { inspect: INSPECT, reboot: REBOOT };

/** Nothing is done for the host, whatever is declared. */
export function isPaused({ metadata }: BareMetalHost): boolean {
	return metadata.annotations?.[PAUSED] !== undefined;
}

/** The host is to leave Ironic as it is, neither undeployed nor switched off. */
export function isDetached({ metadata }: BareMetalHost): boolean {
	return metadata.annotations?.[DETACHED] !== undefined;
}

/** `inspect.metal3.io: disabled` is the deprecated spelling. */
export function inspectionDisabled({ metadata, spec }: BareMetalHost): boolean {
	return spec.inspectionMode === "disabled" || metadata.annotations?.[INSPECT] === "disabled";
}

/** The host's one-shot annotation as it is remembered once it is answered; `undefined` if it has none. */
export function spelled(host: BareMetalHost, oneShot: OneShot): string | undefined {
	const name = NAMES[oneShot];
	const value = host.metadata.annotations?.[name];
	return value === undefined || (oneShot === "inspect" && value === "disabled")
		? undefined
		: `${name}=${value}`;
}

/** What was answered and is still asked: the rest may be asked anew. */
export function stillAsked(host: BareMetalHost, answered: readonly string[]): readonly string[] {
	const asked = (Object.keys(NAMES) as OneShot[]).map((oneShot) => spelled(host, oneShot));
	return answered.filter((text) => asked.includes(text));
}

export interface Reboot {
	readonly mode: RebootMode;
	/** Once, then on again; else off for as long as the annotation is there. */
	readonly once: boolean;
}

/**
 * The reboot that annotations ask for. `reboot.metal3.io` is answered once; `reboot.metal3.io/KEY` keeps the server
 * off until it is removed. One `hard` among several wins.
 */
export function rebootAsked(host: BareMetalHost, answered: readonly string[]): Reboot | undefined {
	const entries = Object.entries(host.metadata.annotations ?? {});
	const holding = entries.filter(([name]) => name.startsWith(`${REBOOT}/`)).map(([, value]) => value);
	const single = spelled(host, "reboot");
	const once = single !== undefined && !answered.includes(single);
	const values = [...holding, ...(once ? [host.metadata.annotations?.[REBOOT] ?? ""] : [])];
	if (values.length === 0) return undefined;
	return { mode: values.some(isHard) ? "hard" : "soft", once: holding.length === 0 };
}

function isHard(value: string): boolean {
	try {
		return (JSON.parse(value) as { mode?: unknown } | null)?.mode === "hard";
	} catch {
		// lint has refused anything else but an empty value, which means "soft"
		return false;
	}
}
