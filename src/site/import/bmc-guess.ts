import { formatBmcAddress, parseBmcAddress } from "../../resources/bmc-address.ts";
import { BMC_SCHEMES } from "../../resources/bmc-types.ts";
import { parseIpAddress } from "../../resources/ip.ts";

/** What a table says about a BMC. */
export interface BmcWords {
	readonly address: string;
	readonly protocol?: string | undefined;
	readonly vendor?: string | undefined;
	readonly port?: string | undefined;
	readonly system?: string | undefined;
}

export interface BmcGuess {
	readonly address: string;
	/** What was concluded, and from what; `undefined` if the address was complete. */
	readonly because: string | undefined;
}

/** The path of the only System that these vendors' BMCs have. */
const DELL = { type: "idrac-virtualmedia", systemId: "/redfish/v1/Systems/System.Embedded.1" };
const HPE = { type: "ilo5-virtualmedia", systemId: "/redfish/v1/Systems/1" };
const REDFISH = { type: "redfish-virtualmedia", systemId: undefined };
const IPMI = { type: "ipmi", systemId: undefined };

/**
 * The BMC address that is most likely meant. Virtual media is preferred: it needs no DHCP of ours. Throws a
 * `RangeError` without the address in it (people write passwords there) if none can be made.
 */
export function guessBmcAddress(words: BmcWords): BmcGuess {
	const text = words.address.trim();
	const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
	if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
		parseBmcAddress(text);
		return { address: text, because: undefined };
	}
	const { kind, because } = kindOf(words);
	const rest = scheme === undefined ? bracketed(text) : text.slice(scheme.length + 3);
	const parsed = parseBmcAddress(
		`${scheme === "http" && kind.type !== "ipmi" ? `${kind.type}+http` : kind.type}://${rest}`,
	);
	const port = portOf(words.port) ?? parsed.port;
	const systemId =
		kind.type === "ipmi" ? undefined : (systemOf(words.system) ?? parsed.systemId ?? kind.systemId);
	const address = formatBmcAddress({ ...parsed, port, systemId });
	parseBmcAddress(address);
	return { address, because };
}

function kindOf({ protocol = "", vendor = "" }: BmcWords) {
	const asked = protocol.trim().toLowerCase();
	const base = asked.split("+")[0] ?? "";
	if (BMC_SCHEMES.includes(base) && base !== "redfish")
		return {
			kind: { type: base, systemId: undefined },
			because: `the scheme is that of the protocol column, ${base}`,
		};
	if (/ipmi/.test(asked)) return { kind: IPMI, because: "the protocol is IPMI" };
	const maker = `${vendor} ${asked}`.toLowerCase();
	const note = "virtual media is taken, which needs no DHCP; write redfish:// to boot over the network";
	if (/dell|idrac/.test(maker)) return { kind: DELL, because: `a Dell's iDRAC: ${note}` };
	if (/\bhpe?\b|hewlett|ilo/.test(maker)) return { kind: HPE, because: `an HPE's iLO 5 or later: ${note}` };
	return { kind: REDFISH, because: `Redfish is assumed, with the BMC's only system: ${note}` };
}

/** `fd00::1` → `[fd00::1]`; anything else as it is. */
function bracketed(text: string): string {
	if (!/^[0-9a-f:.]+$/i.test(text) || text.split(":").length < 3) return text;
	try {
		return parseIpAddress(text).family === 6 ? `[${text}]` : text;
	} catch {
		return text;
	}
}

function portOf(text: string | undefined): number | undefined {
	if (!text) return undefined;
	if (!/^\d{1,5}$/.test(text)) throw new RangeError("has a port that is no number");
	return Number(text);
}

function systemOf(text: string | undefined): string | undefined {
	if (!text) return undefined;
	return text.startsWith("/") ? text : `/redfish/v1/Systems/${text}`;
}
