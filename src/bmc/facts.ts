import type { CertificateFacts } from "./certificate.ts";
import type { IpmiFacts } from "./ipmi-packets.ts";

/** How the log-in ended: each of these needs something else from the person who reads it. */
export type Authentication =
	| "none-given"
	/** Found over plain HTTP that was not asked for: a password is not sent unencrypted by guess. */
	| "not-sent"
	| "accepted"
	| "refused"
	/** The log-in works, but reading the systems is forbidden. */
	| "lacking-rights"
	/** The log-in works, but the BMC wants its initial password changed first. */
	| "must-change-password"
	/** Neither accepted nor refused: too many sessions, an internal error. */
	| "unknown";

export interface NicFacts {
	readonly id: string;
	/** Lower-case colon form. */
	readonly mac: string;
	readonly speedMbps: number | undefined;
	/** `undefined` where the BMC does not say. */
	readonly linkUp: boolean | undefined;
	/** The BMC's own connection into the server, over which nothing can be booted. */
	readonly toBmc: boolean;
}

/** A virtual drive. */
export interface MediaSlot {
	/** Path of the VirtualMedia resource. */
	readonly path: string;
	/** Which resource lists it. Newer firmware has it below the System, older below the Manager. */
	readonly where: "System" | "Manager";
	/** Takes CD or DVD images, which a deploy ramdisk comes as. */
	readonly cd: boolean;
	/** Has the standard action; without it a vendor's own one is needed, which Ironic does not know. */
	readonly insertMedia: boolean;
	readonly inserted: boolean;
}

export interface SystemFacts {
	/** Path of the resource, e.g. `/redfish/v1/Systems/1`, without a slash at the end. */
	readonly path: string;
	readonly id: string;
	readonly name: string | undefined;
	readonly manufacturer: string | undefined;
	readonly model: string | undefined;
	readonly serialNumber: string | undefined;
	readonly power: string | undefined;
	/** What the next boot can be told to start from: `Pxe`, `Cd`, `UefiHttp` … Empty: it cannot be told. */
	readonly bootTargets: readonly string[];
	/** `UEFI`, `Legacy`; empty where the BMC does not say. */
	readonly bootModes: readonly string[];
	readonly nics: readonly NicFacts[];
	readonly media: readonly MediaSlot[];
}

export interface ManagerFacts {
	readonly id: string;
	readonly model: string | undefined;
	readonly firmware: string | undefined;
}

/** What Redfish documents say about a BMC and its servers. */
export interface RedfishFacts {
	readonly vendor: string | undefined;
	readonly product: string | undefined;
	readonly redfishVersion: string | undefined;
	readonly managers: readonly ManagerFacts[];
	readonly systems: readonly SystemFacts[];
	/** The Manager's clock as it was read, milliseconds since 1970. */
	readonly clock: number | undefined;
}

export interface TlsFacts {
	/** `TLSv1.2`. */
	readonly protocol: string;
	readonly certificate: CertificateFacts;
	/** Why the public authorities' certificates do not vouch for it; `undefined` if they do. */
	readonly distrust: string | undefined;
}

/** Where it was found. */
export interface Endpoint {
	readonly transport: "https" | "http" | "ipmi";
	/** A name or an address; IPv6 without brackets. */
	readonly host: string;
	readonly port: number;
	/** This machine's own address on the way there: what the BMC must be able to reach for virtual media. */
	readonly localAddress: string | undefined;
}

/** How a host of this BMC would be written. */
export interface Proposal {
	/** `undefined` where the system could not be read: the address then names the BMC alone. */
	readonly systemPath: string | undefined;
	/** For `spec.bmc.address`. */
	readonly address: string;
	readonly boot: "network" | "virtual-media";
	readonly disableCertificateVerification: boolean;
	/** For `spec.bootMACAddress`: the fastest card with a link. */
	readonly bootMac: string | undefined;
	readonly reasons: readonly string[];
}

/** Everything `bmc probe` tells. Contains no password. */
export interface BmcProbe {
	readonly endpoint: Endpoint;
	readonly tls: TlsFacts | undefined;
	readonly redfish: RedfishFacts | undefined;
	readonly ipmi: IpmiFacts | undefined;
	readonly authentication: Authentication;
	/** The BMC's clock minus this machine's, in seconds. */
	readonly clockSkewSeconds: number | undefined;
	readonly proposals: readonly Proposal[];
	/** What needs attention, most important first. */
	readonly warnings: readonly string[];
}
