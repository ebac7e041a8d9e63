import { IronstrapError } from "../lib/errors.ts";
import type { ConfigMap, Secret } from "../resources/core.ts";
import { describe, type Site } from "../resources/site.ts";
import type { HostExport } from "./host-export.ts";
import { isObject } from "./plain.ts";
import { RUN_LABEL } from "./target-host.ts";
import { ironicSecretNames } from "./target-ironic.ts";

/** The operator reads only Secrets and ConfigMaps that carry this. */
export const OPERATOR_LABEL = { "environment.metal3.io/ironic-standalone-operator": "true" };

/** What the running stack uses, wherever it came from. */
export interface IronicAccess {
	readonly credentials: { readonly username: string; readonly password: string };
	/** PEM. The certificate's key and its CA's certificate; the CA's key stays here. */
	readonly tls: { readonly certificate: string; readonly key: string; readonly ca: string };
}

/**
 * Secrets and ConfigMaps that BMO and the operator read: BMC credentials and ramdisk network data of the hosts,
 * Ironic's credentials, certificate and CAs. User data stay behind: they hold join tokens, and a later deployment
 * with them would found a second cluster.
 */
export function targetSecrets(
	site: Site,
	hosts: readonly HostExport[],
	access: IronicAccess,
	runId: string,
	/** `ironic: false`: only what the hosts refer to. */
	wanted: { readonly ironic: boolean } = { ironic: true },
): readonly object[] {
	const ours = { [RUN_LABEL]: runId };
	const names = ironicSecretNames(site);
	const { namespace } = site.ironic.metadata;
	const ironic = (name: string, type: string, stringData: Record<string, string>) => ({
		apiVersion: "v1",
		kind: "Secret",
		metadata: { name, namespace, labels: { ...ours, ...OPERATOR_LABEL } },
		type,
		stringData,
	});
	const made = [
		ironic(names.credentials, "kubernetes.io/basic-auth", { ...access.credentials }),
		ironic(names.certificate, "kubernetes.io/tls", {
			"tls.crt": access.tls.certificate,
			"tls.key": access.tls.key,
			"ca.crt": access.tls.ca,
		}),
	];
	const copied = new Map<string, object>();
	for (const { host } of hosts)
		for (const name of [host.spec.bmc?.credentialsName, host.spec.preprovisioningNetworkDataName]) {
			const secret = name === undefined ? undefined : find(site.secrets, host.metadata.namespace, name);
			if (secret !== undefined) copied.set(`Secret/${host.metadata.namespace}/${name}`, copyOf(secret, ours));
		}
	for (const { kind, name } of wanted.ironic ? ironicReferences(site) : []) {
		const object =
			kind === "Secret" ? find(site.secrets, namespace, name) : find(site.configMaps, namespace, name);
		if (object !== undefined)
			copied.set(`${kind}/${namespace}/${name}`, copyOf(object, { ...ours, ...OPERATOR_LABEL }));
	}
	const all = [...(wanted.ironic ? made : []), ...copied.values()];
	for (const object of all) refuseMasked(object);
	return all;
}

/** What the target's Ironic refers to besides its credentials and certificate. */
function ironicReferences(site: Site): readonly { kind: string; name: string }[] {
	const { tls, database } = site.ironic.spec;
	const target = site.bootstrap.spec.target.ironic;
	const targetDatabase = isObject(target.database) ? target.database : database;
	const secret = (name: unknown) => (typeof name === "string" ? [{ kind: "Secret", name }] : []);
	return [
		...(tls.bmcCA === undefined ? secret(tls.bmcCAName) : [tls.bmcCA]),
		...(tls.trustedCA === undefined
			? tls.trustedCAName === undefined
				? []
				: [{ kind: "ConfigMap", name: tls.trustedCAName }]
			: [tls.trustedCA]),
		...secret(targetDatabase?.credentialsName),
		...secret(targetDatabase?.tlsCertificateName),
	];
}

function copyOf(object: Secret | ConfigMap, labels: Record<string, string>): object {
	const { name, namespace } = object.metadata;
	const metadata = { name, namespace, labels: { ...object.metadata.labels, ...labels } };
	if (object.kind === "ConfigMap")
		return {
			apiVersion: "v1",
			kind: "ConfigMap",
			metadata,
			data: object.data,
			...(object.binaryData === undefined ? {} : { binaryData: object.binaryData }),
		};
	return {
		apiVersion: "v1",
		kind: "Secret",
		metadata,
		...(object.type === undefined ? {} : { type: object.type }),
		...(object.binaryData === undefined ? {} : { data: object.binaryData }),
		stringData: object.data,
	};
}

/** A value that Ironic's API masked is not the value. */
function refuseMasked(object: object): void {
	const {
		kind,
		metadata,
		stringData = {},
	} = object as {
		kind: string;
		metadata: { name: string; namespace: string };
		stringData?: Record<string, string>;
	};
	const key = Object.keys(stringData).find((name) => /^\*{6}$/.test(stringData[name]?.trim() ?? ""));
	if (key === undefined) return;
	throw new IronstrapError({
		code: "pivot-secret-masked",
		message: `the value of ${key} is the mask that Ironic's API shows instead of it`,
		subject: describe({ kind, ...metadata }),
		fix: "put the real value into the Secret",
	});
}

function find<T extends Secret | ConfigMap>(
	objects: readonly T[],
	namespace: string,
	name: string,
): T | undefined {
	return objects.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
}
