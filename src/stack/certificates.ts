import { IronstrapError } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";

/** PEM text of all certificates in the object that `tls.bmcCA` (or the older `bmcCAName`, a Secret) names. */
export function bmcCertificates(site: Site): string | undefined {
	const { bmcCA, bmcCAName } = site.ironic.spec.tls;
	if (bmcCA !== undefined) return pem(site, bmcCA.kind, bmcCA.name, "bmcCA");
	return bmcCAName === undefined ? undefined : pem(site, "Secret", bmcCAName, "bmcCAName");
}

/** Public authorities and the site's, for checking image servers; `prepare` puts them together. */
export const imageServerAuthorities = "/shared/image-server-authorities.pem";

/** PEM text for checking image servers: `tls.trustedCA`, or the older `trustedCAName` (a ConfigMap). */
export function trustedCertificates(site: Site): string | undefined {
	const { trustedCA, trustedCAName } = site.ironic.spec.tls;
	if (trustedCA !== undefined) return pem(site, trustedCA.kind, trustedCA.name, "trustedCA", trustedCA.key);
	return trustedCAName === undefined ? undefined : pem(site, "ConfigMap", trustedCAName, "trustedCAName");
}

function pem(site: Site, kind: "ConfigMap" | "Secret", name: string, field: string, key?: string): string {
	const { namespace } = site.ironic.metadata;
	const objects = kind === "Secret" ? site.secrets : site.configMaps;
	const found = objects.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
	const data = found?.data ?? {};
	const keys = Object.keys(data).sort();
	// The operator takes every key for BMCs, and one for image servers: the one named, else the first.
	const wanted = field.startsWith("trusted") ? [key ?? keys[0]] : keys.filter((each) => each !== "tls.key");
	const texts = wanted.map((each) => (each === undefined ? undefined : data[each]));
	if (texts.length > 0 && texts.every((text) => text?.includes("-----BEGIN CERTIFICATE-----")))
		return `${texts.map((text) => text?.trim()).join("\n")}\n`;
	throw new IronstrapError({
		code: "ca-missing",
		message: `Ironic.spec.tls.${field} names ${kind} ${namespace}/${name}, which holds no certificate to use`,
		where: site.locate({ kind: "Ironic", namespace, name: site.ironic.metadata.name }, [
			"spec",
			"tls",
			field,
		]),
		seen: found === undefined ? "no such object in the site" : `keys ${keys.join(", ") || "none"}`,
		fix: "add the object with PEM certificates (-----BEGIN CERTIFICATE-----) to the site",
	});
}
