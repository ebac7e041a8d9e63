import { parse } from "yaml";
import { IronstrapError } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { Secret, SecretReference } from "../resources/core.ts";
import { type Credentials, credentialsOf } from "../resources/credentials.ts";
import { describe, type Site } from "../resources/site.ts";
import { refOf } from "./host-name.ts";

/** What the Secrets that a host refers to say, undecoded; an absent reference gives `undefined`. */
export interface HostData {
	readonly userData: string | undefined;
	readonly networkData: Record<string, unknown> | undefined;
	readonly metaData: Record<string, unknown> | undefined;
	/** For the ramdisk, not for the installed system. */
	readonly preprovisioningNetworkData: Record<string, unknown> | undefined;
}

/**
 * Reads what BMO reads: each Secret under the field's own name, else under `value`; the network data of the ramdisk
 * stand in for missing `networkData`. Fails with `host-data-invalid` when a text is no YAML or JSON object.
 * https://github.com/metal3-io/baremetal-operator/blob/main/internal/controller/metal3.io/host_config_data.go
 */
export function hostData(host: BareMetalHost, site: Site): HostData {
	const { spec } = host;
	const preprovisioning =
		spec.preprovisioningNetworkDataName === undefined
			? undefined
			: { name: spec.preprovisioningNetworkDataName };
	const text = (field: string, reference: SecretReference | undefined) => read(host, site, field, reference);
	const networkData = text("networkData", spec.networkData ?? preprovisioning);
	const forRamdisk = text("networkData", preprovisioning);
	const metaData = text("metaData", spec.metaData);
	return {
		userData: text("userData", spec.userData) || undefined,
		networkData: networkData && parseObject(host, site, "networkData", networkData),
		metaData: metaData && parseObject(host, site, "metaData", metaData),
		preprovisioningNetworkData:
			forRamdisk && parseObject(host, site, "preprovisioningNetworkDataName", forRamdisk),
	} as HostData;
}

/** `username` and `password` of the host's BMC, trimmed as BMO trims them. */
export function bmcCredentials(host: BareMetalHost, site: Site): Credentials {
	const name = host.spec.bmc?.credentialsName ?? "";
	const credentials = credentialsOf(findSecret(host, site, ["bmc", "credentialsName"], name));
	const missing = (["username", "password"] as const).find((key) => credentials[key] === "");
	if (missing === undefined) return credentials;
	throw new IronstrapError({
		code: "host-credentials-incomplete",
		message: `Secret ${host.metadata.namespace}/${name} has no ${missing}`,
		subject: describe(refOf(host)),
		where: site.locate({ kind: "Secret", namespace: host.metadata.namespace, name }),
		fix: "give it both keys, `username` and `password`",
	});
}

/** A Secret in the host's namespace; `path` is the field of the host's spec that names it. */
export function findSecret(host: BareMetalHost, site: Site, path: readonly string[], name: string): Secret {
	const { namespace } = host.metadata;
	const secret = site.secrets.find(
		({ metadata }) => metadata.name === name && metadata.namespace === namespace,
	);
	if (secret !== undefined) return secret;
	throw new IronstrapError({
		code: "host-secret-missing",
		message: `spec.${path.join(".")} names Secret ${namespace}/${name}, which is not in the site`,
		subject: describe(refOf(host)),
		where: site.locate(refOf(host), ["spec", ...path]),
		fix: "add the Secret to the site, in the host's namespace",
	});
}

function read(
	host: BareMetalHost,
	site: Site,
	field: string,
	reference?: SecretReference,
): string | undefined {
	if (reference?.name === undefined) return undefined;
	const { data } = findSecret(host, site, [field, "name"], reference.name);
	return data[field] ?? data.value;
}

function parseObject(host: BareMetalHost, site: Site, field: string, text: string): Record<string, unknown> {
	let seen = "it is not an object";
	try {
		const value: unknown = parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value))
			return value as Record<string, unknown>;
	} catch {
		// The parser's message quotes the text, which may hold a secret.
		seen = "it does not parse";
	}
	throw new IronstrapError({
		code: "host-data-invalid",
		message: `the Secret behind spec.${field} is not YAML or JSON with keys and values`,
		subject: describe(refOf(host)),
		where: site.locate(refOf(host), ["spec", field]),
		seen,
		fix: "compare it with the format of OpenStack's network_data.json or meta_data.json",
	});
}
