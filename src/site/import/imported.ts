import type { SourceRef } from "../../lib/errors.ts";
import type { BareMetalHostManifest } from "../../resources/bare-metal-host.ts";
import type { IronicManifest } from "../../resources/ironic.ts";

type HostSpec = NonNullable<BareMetalHostManifest["spec"]>;

/** What an importer made of its source. Every importer is pure, and never throws for what a source says. */
export interface Imported {
	readonly hosts: readonly ImportedHost[];
	/** What the source says about the stack; most inventories say nothing. */
	readonly ironic?: ImportedIronic | undefined;
	readonly remarks: readonly Remark[];
}

/** One host, in the words of a `BareMetalHost`. */
export interface ImportedHost {
	/** As the source has it; made a valid and unique object name when manifests are written. */
	readonly name: string;
	readonly where: SourceRef;
	readonly namespace?: string | undefined;
	readonly bmc?: ImportedBmc | undefined;
	readonly labels?: Readonly<Record<string, string>> | undefined;
	/** Everything of `spec` but `bmc` and the references to Secrets. */
	readonly spec: Partial<
		Omit<HostSpec, "bmc" | "networkData" | "preprovisioningNetworkDataName" | "userData">
	>;
	/** OpenStack's network_data.json for the host, becomes a Secret that `networkData` names. */
	readonly networkData?: object | undefined;
	/** Further files that are kept for a person in a Secret that nothing refers to: file name → text. */
	readonly kept?: Readonly<Record<string, string>> | undefined;
}

/** `undefined`: the source does not tell. Credentials are never shown, and are kept though the address be wrong. */
export interface ImportedBmc {
	readonly address: string | undefined;
	readonly username: string | undefined;
	readonly password: string | undefined;
	readonly disableCertificateVerification?: boolean | undefined;
}

export interface ImportedIronic {
	readonly name: string;
	readonly namespace?: string | undefined;
	readonly spec: NonNullable<IronicManifest["spec"]>;
	/** Laid over `spec` for the target cluster (`Bootstrap.spec.target.ironic`). */
	readonly target?: Readonly<Record<string, unknown>> | undefined;
	/** ConfigMaps that `spec` refers to: name → data. */
	readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

/**
 * One line of the report. `taken`: understood as it stands; `inferred`: not said, but concluded, so look at it;
 * `left-out`: has no place in a site, or is not needed; `missing`: must be added before the site works; `wrong`: could
 * not be read, and was left out.
 */
export interface Remark {
	readonly kind: "taken" | "inferred" | "left-out" | "missing" | "wrong";
	readonly where?: SourceRef | undefined;
	/** The host it is about, as it is named in the source. */
	readonly host?: string | undefined;
	/** The source's own name of the field or column. */
	readonly field: string;
	/** What became of it, and what to do. Never a secret. */
	readonly note: string;
}

/** Collects remarks; importers hand it down. */
export type Say = (remark: Remark) => void;

export function collectRemarks(): { readonly remarks: Remark[]; readonly say: Say } {
	const remarks: Remark[] = [];
	return { remarks, say: (remark) => void remarks.push(remark) };
}
