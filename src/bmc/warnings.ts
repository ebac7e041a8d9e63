import type { BmcProbe } from "./facts.ts";
import type { Miss } from "./find.ts";

/** Certificates and signed URLs are refused when clocks differ; below this nobody notices. */
const SKEW_SECONDS = 60;

/** What a person must know or do, most important first. Pure. */
export function probeWarnings(
	probe: Omit<BmcProbe, "warnings">,
	misses: readonly Miss[],
	unreadable: readonly string[],
): readonly string[] {
	return [
		...authenticationWarning(probe),
		...(probe.redfish === undefined && misses.length > 0
			? [`no Redfish: ${misses.map(({ place, seen }) => `${place}: ${seen}`).join("; ")}`]
			: []),
		...skewWarning(probe.clockSkewSeconds),
		...vendorWarnings(probe),
		...(probe.ipmi?.anonymousLogin === true
			? ["IPMI accepts a log-in without user name and password: switch that off"]
			: []),
		...(unreadable.length > 0 ? [`could not be read: ${unreadable.slice(0, 5).join("; ")}`] : []),
	];
}

function authenticationWarning({ authentication, redfish }: Omit<BmcProbe, "warnings">): readonly string[] {
	if (redfish === undefined) return [];
	const text = {
		accepted: undefined,
		"none-given":
			"no log-in was given: systems, cards and drives cannot be read (--username, --password-file)",
		"not-sent":
			"the log-in was not sent, because only unencrypted HTTP answers; write http:// before the address if that is meant",
		refused: "user name or password is wrong",
		"lacking-rights":
			"the log-in works, but its role may not read the systems: Administrator or Operator is needed",
		"must-change-password": "the BMC wants its initial password changed before anything else",
		unknown: "the BMC neither accepted nor refused the log-in (often: too many open sessions); try again",
	}[authentication];
	return text === undefined ? [] : [text];
}

function skewWarning(skew: number | undefined): readonly string[] {
	if (skew === undefined || Math.abs(skew) <= SKEW_SECONDS) return [];
	const amount = Math.abs(skew) > 7200 ? `${Math.round(Math.abs(skew) / 3600)} hours` : `${Math.abs(skew)} s`;
	return [
		`its clock is ${amount} ${skew > 0 ? "ahead" : "behind"}: it may refuse certificates; set its time server (NTP)`,
	];
}

function vendorWarnings({ redfish, endpoint, proposals }: Omit<BmcProbe, "warnings">): readonly string[] {
	const usesMedia = proposals.some(({ boot }) => boot === "virtual-media");
	const warnings: string[] = [];
	if (usesMedia && /supermicro/i.test(redfish?.vendor ?? ""))
		warnings.push(
			"Supermicro cannot import a CA: virtual media over TLS fails there (Ironic.spec.tls.disableVirtualMediaTLS)",
		);
	if (endpoint.transport === "http")
		warnings.push("plain HTTP: user name and password cross the network unencrypted");
	return warnings;
}
