import { BMC_SCHEMES, BMC_TYPES, type BmcType, type BmcTypeFacts, REMOVED_BMC_TYPES } from "./bmc-types.ts";
import type { Credentials } from "./credentials.ts";
import { parseIpAddress, urlHost } from "./ip.ts";

/**
 * A `BareMetalHost.spec.bmc.address` taken apart, with what BMO derives from its scheme.
 * https://github.com/metal3-io/baremetal-operator/tree/v0.14.0-rc.0/pkg/hardwareutils/bmc
 */
export interface BmcAddress extends BmcTypeFacts {
	/** As written, in lower case, with its transport: `redfish-virtualmedia+http`. */
	readonly scheme: string;
	/** The scheme without the transport: `redfish-virtualmedia`. */
	readonly type: BmcType;
	readonly transport: "http" | "https" | "ipmi";
	/** No scheme was written; BMO then takes IPMI. */
	readonly schemeAssumed: boolean;
	/** A name or an address; IPv6 without brackets. */
	readonly host: string;
	readonly port: number | undefined;
	/** Redfish: the path as written; `undefined` if it names no resource, so that Ironic takes the only system. */
	readonly systemId: string | undefined;
	/** IPMI only. */
	readonly privilegeLevel: string | undefined;
	readonly needsMac: boolean;
	readonly supportsSecureBoot: boolean;
	readonly supportsHardwareRaid: boolean;
}

/**
 * Why an address was refused. `scheme` is set if that is what is wrong. The address itself is never in the message:
 * people write passwords into it.
 */
export class BmcAddressError extends RangeError {
	readonly reason: "scheme" | "host" | "port" | "userinfo" | "syntax";
	readonly scheme: string | undefined;
	readonly replacement: string | undefined;

	constructor(reason: BmcAddressError["reason"], message: string, scheme?: string, replacement?: string) {
		super(message);
		this.name = "BmcAddressError";
		this.reason = reason;
		this.scheme = scheme;
		this.replacement = replacement;
	}
}

/** Takes an address as BMO does (`host`, `host:port`, `scheme:host` too); throws a `BmcAddressError`. */
export function parseBmcAddress(text: string): BmcAddress {
	const { scheme, authority, path, query, schemeAssumed } = split(text);
	const [type = "", transport] = scheme.split("+");
	const facts = Object.hasOwn(BMC_TYPES, type) ? BMC_TYPES[type as BmcType] : undefined;
	if (!facts || !BMC_SCHEMES.includes(scheme)) throw unknownScheme(scheme, type);
	if (authority.includes("@")) throw new BmcAddressError("userinfo", "carries a user name or password");
	const { host, port } = splitAuthority(authority);
	const isIpmi = facts.driver === "ipmi";
	const trimmedPath = path.replace(/^\/+|\/+$/g, "");
	return {
		scheme,
		type: type as BmcType,
		transport: isIpmi ? "ipmi" : transport === "http" ? "http" : "https",
		schemeAssumed,
		...facts,
		host,
		port,
		systemId: isIpmi || trimmedPath === "" || trimmedPath === "redfish/v1" ? undefined : path,
		privilegeLevel: isIpmi
			? (new URLSearchParams(query).get("privilegelevel") ?? "ADMINISTRATOR")
			: undefined,
		needsMac: type === "libvirt",
		supportsSecureBoot: !isIpmi,
		supportsHardwareRaid: !isIpmi,
	};
}

/** `scheme://host[:port][path]`: the shortest text that means the same. */
export function formatBmcAddress(
	address: Pick<BmcAddress, "scheme" | "host" | "port" | "systemId" | "privilegeLevel">,
): string {
	const host = urlHost(address.host);
	const port = address.port === undefined ? "" : `:${address.port}`;
	const level =
		address.privilegeLevel === undefined || address.privilegeLevel === "ADMINISTRATOR"
			? ""
			: `?privilegelevel=${address.privilegeLevel}`;
	return `${address.scheme}://${host}${port}${address.systemId ?? ""}${level}`;
}

/** The same for two spellings of one managed system: what must not occur twice in a site. */
export function bmcIdentity(address: BmcAddress): string {
	const standardPort = { ipmi: 623, http: 80, https: 443 }[address.transport];
	const system = address.systemId?.replace(/\/+$/, "") ?? "";
	return `${canonicalHost(address.host)} ${address.port ?? standardPort} ${system}`;
}

/** `driver_info` exactly as BMO makes it (the deploy ramdisk's keys come on top). Contains the password. */
export function driverInfo(
	address: BmcAddress,
	credentials: Credentials,
	options: { readonly disableCertificateVerification?: boolean | undefined } = {},
): Record<string, string | boolean> {
	const unverified = options.disableCertificateVerification === true;
	if (address.driver === "ipmi")
		return {
			ipmi_address: address.host,
			ipmi_port: String(address.port ?? 623),
			ipmi_username: credentials.username,
			ipmi_password: credentials.password,
			ipmi_priv_level: address.privilegeLevel ?? "ADMINISTRATOR",
			...(unverified ? { ipmi_verify_ca: false } : {}),
		};
	const host = urlHost(address.host);
	const port = address.port === undefined ? "" : `:${address.port}`;
	return {
		redfish_address: `${address.transport}://${host}${port}`,
		...(address.systemId === undefined ? {} : { redfish_system_id: address.systemId }),
		redfish_username: credentials.username,
		redfish_password: credentials.password,
		...(unverified ? { redfish_verify_ca: false } : {}),
	};
}

function split(text: string) {
	const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/.exec(text);
	if (text.trim() !== text || text === "" || !match) throw new BmcAddressError("syntax", "is not an address");
	const [, scheme, authority = "", path = "", query = ""] = match;
	if (scheme !== undefined)
		return { scheme: scheme.toLowerCase(), authority, path, query, schemeAssumed: false };
	// `ipmi:192.0.2.1[:port]` is a scheme without slashes; `bmc-7:623` is a name and a port, as BMO sees it too.
	const opaque = /^([A-Za-z][A-Za-z0-9+.-]*):(?!\d+$)(.+)$/.exec(authority);
	if (opaque?.[1] && opaque[2])
		return { scheme: opaque[1].toLowerCase(), authority: opaque[2], path, query, schemeAssumed: false };
	return { scheme: "ipmi", authority, path, query, schemeAssumed: true };
}

const DNS_NAME =
	/^(([a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9])\.)*([a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9])$/i;

function splitAuthority(authority: string): { host: string; port: number | undefined } {
	const match = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/.exec(authority);
	if (!match) throw new BmcAddressError("host", "has no valid host (an IPv6 address needs brackets)");
	const bracketed = match[1];
	const host = bracketed ?? match[2] ?? "";
	if (host === "") throw new BmcAddressError("host", "has no host");
	if (bracketed !== undefined ? !isIp(host, 6) : !isIp(host, 4) && !isName(host))
		throw new BmcAddressError("host", "has a host that is neither an IP address nor a valid name");
	if (match[3] === undefined || match[3] === "") return { host, port: undefined };
	const port = Number(match[3]);
	if (port < 1 || port > 65535) throw new BmcAddressError("port", "has a port that is not in 1-65535");
	return { host, port };
}

function canonicalHost(host: string): string {
	return host.includes(":") ? parseIpAddress(host).text : host.toLowerCase();
}

function isIp(text: string, family: 4 | 6): boolean {
	try {
		return parseIpAddress(text).family === family;
	} catch {
		return false;
	}
}

/** A name made of digits and dots only is a mistyped address (BMO would take it and Ironic never reach it). */
function isName(text: string): boolean {
	return DNS_NAME.test(text) && !/^[\d.]+$/.test(text);
}

function unknownScheme(scheme: string, type: string): BmcAddressError {
	const replacement = Object.hasOwn(REMOVED_BMC_TYPES, type) ? REMOVED_BMC_TYPES[type] : undefined;
	return replacement === undefined
		? new BmcAddressError("scheme", "has a scheme that is not known", scheme)
		: new BmcAddressError("scheme", `has a scheme that baremetal-operator has removed`, scheme, replacement);
}
