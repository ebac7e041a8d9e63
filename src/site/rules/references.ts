import type { BareMetalHost } from "../../resources/bare-metal-host.ts";
import type { Ironic } from "../../resources/ironic.ts";
import type { Path } from "../document.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import type { SiteKind, SiteObject } from "../kinds.ts";
import { certManagerCertificate } from "./cert-manager.ts";
import { type SecretUse, secretFaults } from "./secrets.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** A place in an object that names another object, and what that must hold. */
interface Reference {
	readonly from: SiteObject;
	readonly path: Path;
	readonly kind: "Secret" | "ConfigMap";
	readonly name: string;
	readonly use: SecretUse;
}

/** Every Secret and ConfigMap that is named exists and holds what its use needs. */
export const references: SiteRule = function* (draft) {
	const checked = new Set<string>();
	for (const reference of [...draft.ironics.flatMap(ofIronic), ...draft.hosts.flatMap(ofHost)]) {
		const { namespace } = reference.from.metadata;
		const target = find(draft, reference.kind, namespace, reference.name);
		if (!target) {
			yield* missing(draft, reference, namespace);
			continue;
		}
		// One Secret may serve many hosts: what is wrong with it is told once per use.
		const key = `${reference.kind} ${namespace}/${reference.name} ${JSON.stringify(reference.use)}`;
		if (!checked.has(key)) yield* secretFaults(draft, target, reference.use, reference.from);
		checked.add(key);
	}
	yield* otherNamespaces(draft);
};

function ofIronic(from: Ironic): Reference[] {
	const { apiCredentialsName, database, tls } = from.spec;
	const reference = (
		path: Path,
		name: string | undefined,
		use: SecretUse,
		kind: Reference["kind"] = "Secret",
	) => (name ? [{ from, path: ["spec", ...path], kind, name, use }] : []);
	return [
		...reference(["apiCredentialsName"], apiCredentialsName, { for: "api" }),
		...reference(["database", "credentialsName"], database?.credentialsName, { for: "login" }),
		...reference(["database", "tlsCertificateName"], database?.tlsCertificateName, {
			for: "keys",
			keys: ["tls.crt"],
		}),
		...reference(["tls", "certificateName"], tls.certificateName, {
			for: "keys",
			keys: ["tls.crt", "tls.key"],
		}),
		...reference(["tls", "bmcCA", "name"], tls.bmcCA?.name, { for: "any" }, tls.bmcCA?.kind),
		...reference(["tls", "bmcCAName"], tls.bmcCA ? undefined : tls.bmcCAName, { for: "any" }),
		...reference(
			["tls", "trustedCA", "name"],
			tls.trustedCA?.name,
			anyOrKey(tls.trustedCA?.key),
			tls.trustedCA?.kind,
		),
		...reference(
			["tls", "trustedCAName"],
			tls.trustedCA ? undefined : tls.trustedCAName,
			{ for: "any" },
			"ConfigMap",
		),
	];
}

function anyOrKey(key: string | undefined): SecretUse {
	return key ? { for: "keys", keys: [key] } : { for: "any" };
}

/** The keys are those that BMO looks for: `userData` in the Secret of `userData`, or `value`. */
const HOST_DATA = ["userData", "networkData", "metaData"] as const;

function ofHost(from: BareMetalHost): Reference[] {
	const { bmc, image, preprovisioningNetworkDataName } = from.spec;
	const reference = (path: Path, name: string | undefined, use: SecretUse): Reference[] =>
		name ? [{ from, path: ["spec", ...path], kind: "Secret", name, use }] : [];
	const data = HOST_DATA.flatMap((name) => {
		const target = from.spec[name];
		if (target?.namespace && target.namespace !== from.metadata.namespace) return [];
		return reference([name, "name"], target?.name, { for: "one-of", keys: [name, "value"] });
	});
	return [
		...reference(["bmc", "credentialsName"], bmc?.credentialsName, { for: "login" }),
		...data,
		...reference(["preprovisioningNetworkDataName"], preprovisioningNetworkDataName, {
			for: "keys",
			keys: ["networkData"],
		}),
		...reference(["image", "ociAuthSecretName"], image?.ociAuthSecretName, { for: "any" }),
	];
}

function* missing(draft: Draft, reference: Reference, namespace: string): Iterable<Finding> {
	const { from, path, kind, name } = reference;
	// An object of this name that could not be read has been reported as such.
	if (draft.isBroken(kind, { namespace, name })) return;
	const field = path.slice(1).join(".");
	const certificate = kind === "Secret" ? certManagerCertificate(draft, namespace, name) : undefined;
	if (certificate !== undefined && field === "tls.certificateName") {
		yield on(draft, from, path, "certificate-from-cert-manager", {
			severity: "warning",
			message: `Secret ${namespace}/${name} would be made by cert-manager, which does not run here; ironstrap issues a certificate of its own`,
			fix: "nothing to do; to use the same certificate here and in the target, add the Secret to the manifests",
		});
		return;
	}
	const elsewhere = namespacesWith(draft, kind, name);
	yield on(draft, from, path, kind === "Secret" ? "secret-missing" : "config-map-missing", {
		message: `${kind} ${namespace}/${name}, named by \`${field}\`, is not among the manifests`,
		fix:
			elsewhere.length === 0
				? `add the ${kind}, or correct the name`
				: `one of this name is in namespace ${elsewhere.join(", ")}: set \`metadata.namespace\` of one of the two`,
	});
}

function find(draft: Draft, kind: SiteKind, namespace: string, name: string) {
	const candidates = kind === "Secret" ? draft.secrets : draft.configMaps;
	return candidates.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
}

function namespacesWith(draft: Draft, kind: SiteKind, name: string): string[] {
	const candidates = kind === "Secret" ? draft.secrets : draft.configMaps;
	return candidates
		.filter(({ metadata }) => metadata.name === name)
		.map(({ metadata }) => metadata.namespace);
}

/** BMO's webhook refuses Secrets of another namespace; and a reference without a name refers to nothing. */
function* otherNamespaces(draft: Draft): Iterable<Finding> {
	for (const host of draft.hosts)
		for (const name of HOST_DATA) {
			const reference = host.spec[name];
			if (!reference) continue;
			if (reference.namespace && reference.namespace !== host.metadata.namespace)
				yield on(draft, host, ["spec", name, "namespace"], "secret-other-namespace", {
					message: `\`${name}\` names a Secret in namespace ${reference.namespace}, but the host is in ${host.metadata.namespace}`,
					fix: "put the Secret into the host's namespace and remove `namespace` here",
				});
			else if (!reference.name)
				yield on(draft, host, ["spec", name], "secret-name-missing", {
					message: `\`${name}\` does not name a Secret`,
					fix: `give \`${name}.name\`, or remove \`${name}\``,
				});
		}
}
